/// \file
/// \brief What chapter 11's program prints and saves, one function an experiment.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

/// The reports of chapter 11's program.
namespace attn::multi_head::report {

void shapes(program::Frame& frame);      ///< every shape inside a layer
void facts(program::Frame& frame);       ///< order, shifts, heads that change places, two forms
void distances(program::Frame& frame);   ///< dot products of sinusoids against their distance
void costs(program::Frame& frame);       ///< what layers cost, counted
void timed(program::Frame& frame);       ///< what layers cost, timed now
void pairs(program::Frame& frame);       ///< the difference of two marked vectors, by heads
void heads(program::Frame& frame);       ///< three earlier letters, by heads
void projections(program::Frame& frame); ///< the symbol before, projections tied and free
void positions(program::Frame& frame);   ///< the symbol before, longer than trained

/// What a kind of layer came to, for the last table.
struct Verdict
{
    double recall = 0;           ///< median accuracy of the widest layer
    std::size_t recall_kept = 0; ///< numbers that this layer keeps
    double parity = 0; ///< median accuracy at the last position of the longest sequences
};

/// Chapter 6's recall against the numbers that are kept.
/// \param verdicts  of self-attention, linear attention and GRU; their recall is set
void recall_and_state(program::Frame& frame, std::vector<Verdict>& verdicts);

/// Parity of all bits so far.
/// \param verdicts  as before; their parity is set
void parities(program::Frame& frame, std::vector<Verdict>& verdicts);

/// All that speaks for and against recurrence, side by side.
void verdict(program::Frame& frame, const std::vector<Verdict>& verdicts);

void pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

} // namespace attn::multi_head::report
