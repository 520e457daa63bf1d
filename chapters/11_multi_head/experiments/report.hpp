/// \file
/// \brief What chapter 11's program prints and keeps, one function an experiment. Deliberately
/// without formulas.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

/// The reports of chapter 11's program.
namespace attn::multi_head::report {

/// Prints every shape inside a layer.
/// \param frame  the program's terminal
void shapes(program::Frame& frame);

/// Prints what is exactly so: order, shifts, heads that change places, two forms of one sum.
/// \param frame  the program's terminal
void facts(program::Frame& frame);

/// Prints the dot products of sinusoids against the distance of their places.
/// \param frame  the program's terminal
void distances(program::Frame& frame);

/// Prints what layers cost, counted.
/// \param frame  the program's terminal
void costs(program::Frame& frame);

/// Prints what layers cost, timed now. Writes no file.
/// \param frame  the program's terminal
void timed(program::Frame& frame);

/// Trains and reports the difference of two marked vectors, by the number of heads.
/// \param frame  of the program
void pairs(program::Frame& frame);

/// Trains and reports three looks by the number of heads, and keeps the weights of the heads on
/// words for the figures.
/// \param frame  of the program
void looks(program::Frame& frame);

/// Trains and reports the symbol before, with projections tied and free.
/// \param frame  of the program
void projections(program::Frame& frame);

/// Trains and reports the symbol before on sequences longer than trained.
/// \param frame  of the program
void places(program::Frame& frame);

/// What a kind of layer came to, for the last table.
struct Verdict
{
    double recall = 0;           ///< median accuracy of the widest layer
    std::size_t recall_kept = 0; ///< numbers that this layer keeps
    double parity = 0;           ///< median accuracy at the last place of the longest sequences
};

/// Trains and reports chapter 6's recall against the numbers that are kept.
/// \param frame     of the program
/// \param verdicts  of self-attention, linear attention and GRU; their recall is set
void recall_and_state(program::Frame& frame, std::vector<Verdict>& verdicts);

/// Trains and reports parity.
/// \param frame     of the program
/// \param verdicts  as before; their parity is set
void parities(program::Frame& frame, std::vector<Verdict>& verdicts);

/// Prints all that speaks for and against recurrence, side by side.
/// \param frame     of the program
/// \param verdicts  of self-attention, linear attention and GRU
void verdict(program::Frame& frame, const std::vector<Verdict>& verdicts);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::multi_head::report
