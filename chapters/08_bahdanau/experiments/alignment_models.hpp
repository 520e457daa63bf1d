/// \file
/// \brief Alignment models before any training: what they cost, which of them can attend for all
/// steps at once, which of them do not see the source, and the pencil example.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::bahdanau {

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

// ---------------------------------------------------------------- what is computed once

/// Multiplications of one sentence, counted, not timed; sums, softmax and tanh are not counted.
struct AlignmentCost
{
    std::string name;         ///< of the score
    std::size_t n_parameters; ///< of the alignment model
    std::size_t once;         ///< for the keys, before the first step
    std::size_t each_step;    ///< for the query, the scores and the context
};

/// The costs of all scores, and of weights by positions alone.
/// \param hidden       numbers in a state, and under a tanh
/// \param d_embedding  numbers of a word
/// \param n_positions  words of the longest source
/// \param n_source     words of the sentence
/// \returns            additive, concat, dot, general, location only
/// \throws ContractError if a number is 0
std::vector<AlignmentCost> alignment_costs(std::size_t hidden, std::size_t d_embedding,
                                           std::size_t n_positions, std::size_t n_source);

/// Prints what is computed once a sentence, and what at every step.
void show_costs(program::Frame& frame);

// ---------------------------------------------------------------- all queries at once

/// What becomes of a batch of sentences if all queries are taken at once.
struct AtOnce
{
    double states_change;   ///< the largest change of a query if every context is 0
    double weights_differ;  ///< the largest difference between the one call's weights and the
                            ///< loop's
    double contexts_differ; ///< the same of contexts
};

/// A small translator with a score that is a product, decoded word by word (Translator::step) and
/// all at once: the queries of the one call are those of one pass through all states, without
/// contexts. Where the context enters the state, a query waits for the context before it; where it
/// enters the readout alone, all states can be computed first.
/// \param score  dot or general
/// \throws ContractError for a score that is no product
AtOnce attend_at_once(Score score, QueryState query_state, std::uint64_t seed);

/// Prints whose queries can be taken in one matrix call.
void show_at_once(program::Frame& frame);

// ---------------------------------------------------------------- who sees the source

/// Prints who does not see what stands in the source.
void show_frozen_state(program::Frame& frame);

} // namespace attn::bahdanau
