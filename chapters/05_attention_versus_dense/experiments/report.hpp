/// \file
/// \brief What the program of chapter 5 prints and writes of what holds without training: the
/// table of indices, the ceilings, the pencil example.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/fitting.hpp"
#include "common/program/run.hpp"

#include <cstddef>

/// The program's tables and files.
namespace attn::attention_versus_dense::report {

/// Prints which index each layer's weights carry, how many there are and what they see.
void indices(program::Frame& frame);

/// Prints and writes how much weight a capped score can give, and what that costs.
void ceilings(program::Frame& frame);

/// Prints the pencil example through the layer of the question, every intermediate by its name
/// and shape.
void pencil_steps(program::Frame& frame);

/// How the program trains: in full, or with --quick a few steps.
/// \param n_steps  of the full training
Training training_of(const program::Frame& frame, std::size_t n_steps);

/// Prints and writes R^2 on the marked step against the number of examples, and on longer
/// sequences.
void marked_by_size(program::Frame& frame);

/// Prints and writes R^2 on the marked step against the number of steps, with the ceiling.
void marked_by_length(program::Frame& frame);

/// Prints and writes where a tanh hides one number a step.
void scalar_trap(program::Frame& frame);

/// Prints and writes the sums of prices and interest rates.
void lags(program::Frame& frame);

/// Prints and writes Raffel and Ellis' tasks.
void arithmetic(program::Frame& frame);

/// Prints and writes who can tell which of two symbols came first.
void order(program::Frame& frame);

/// Writes the weights of chosen samples, for a figure and for the interactive one.
void weights(program::Frame& frame);

} // namespace attn::attention_versus_dense::report
