/// \file
/// \brief What chapter 14's program prints and keeps, one function an experiment.
#pragma once

#include "chapters/14_simd_transformer/experiments/ladders.hpp"
#include "common/program/run.hpp"

/// The reports of chapter 14's program.
namespace attn::simd_transformer::report {

/// What the options ask for.
struct Settings
{
    Execution how;              ///< kernels and threads
    LadderSizes sizes;          ///< of what is measured
    std::size_t n_steps = 20;   ///< of each training of the whole model
    std::size_t n_words = 8192; ///< of the long text
};

/// Prints the names of the instruction sets that this processor has, a line each, nothing else.
void instruction_set_names(program::Frame& frame);

/// Prints every rung's idea, its operations and bytes, counted, and how far its numbers are from
/// those of the first rung. No number here depends on the machine.
void counted(program::Frame& frame, const Settings& settings);

/// Prints the memory that plain and fused attention take, counted.
void memory(program::Frame& frame);

/// Trains the whole model rung by rung, and prints whether the losses are those of the first, and
/// what was measured, if it was; then a long text, and the memory that it took.
void whole_model(program::Frame& frame, const Settings& settings, bool timed);

/// Prints what this machine can do at most, measured.
Limits machine(program::Frame& frame, const Settings& settings);

/// Prints and keeps the ladders, measured.
void ladders(program::Frame& frame, const Settings& settings, const Limits& limits);

/// Prints and keeps what attention takes for sentences of several lengths, measured.
void lengths(program::Frame& frame, const Settings& settings);

/// Prints and keeps the last rungs by instruction set, measured on one thread.
void by_instruction_set(program::Frame& frame, const Settings& settings);

/// Prints and keeps the last rungs by number of threads, measured.
void by_threads(program::Frame& frame, const Settings& settings);

/// Prints the pencil example through the online softmax, tile by tile, every intermediate by its
/// name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::simd_transformer::report
