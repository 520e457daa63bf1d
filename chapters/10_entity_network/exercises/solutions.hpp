/// \file
/// \brief Solutions of the exercises of chapter 10 that are functions.
#pragma once

#include <cstddef>

/// Solutions of the exercises of chapter 10.
namespace attn::entity_network::solutions {

/// Exercise 10.1: how many numbers are learnt, with keys that are persons' embeddings and
/// tanh.
std::size_t n_parameters(std::size_t n_words, std::size_t n_positions, std::size_t d,
                         std::size_t n_answers);

/// Exercise 10.2: how much of a slot's first content is left in its direction, after n writes of
/// unit vectors that are orthogonal to all before, through open gates: \f$ 2^{-n/2} \f$ if it is
/// normalised each time, \f$ 1 / \sqrt{n + 1} \f$ if it never is.
double share_left(std::size_t n, bool normalised);

/// Exercise 10.3: how many numbers are stored when a story has been read, in slots, or as a memory
/// of all sentences with a vector each to be found by and to be read.
/// \param slots  whether they are slots
std::size_t numbers_stored(std::size_t n_sentences, std::size_t n_slots, std::size_t d,
                           bool slots);

} // namespace attn::entity_network::solutions
