/// \file
/// \brief What an alignment model costs, counted in multiplications: how much of it is done once a
/// sentence, and how much at every step. Counted, not timed.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::bahdanau {

/// Multiplications of one sentence; sums, softmax and tanh are not counted.
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

} // namespace attn::bahdanau
