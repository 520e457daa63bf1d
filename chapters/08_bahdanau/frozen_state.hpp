/// \file
/// \brief The frozen-state test: do the weights depend on what stands in the source, or on its
/// positions alone? It is of one query: over a whole run the contexts change the states,
/// and with them the weights of a decoder that sees positions alone, too.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"

#include <cstddef>
#include <vector>

namespace attn::bahdanau {

/// One query over annotations, and over the same ones in another order.
struct FrozenStateTest
{
    bool same_bits; ///< whether each position has the same weight as before, to the bit
    double largest_difference; ///< between the weights of a position
    double largest_unmoved;    ///< between the weights of an annotation, wherever it stands
};

/// Freezes state and word, and permutes the annotations.
/// \param function  trained or not
/// \param encoding  of one sentence, whose states are all its own
/// \param state     of the decoder [1, hidden]
/// \param word      the embedding of the last word [1, d]
/// \param order     [n_source], a permutation: position j shows annotation order[j]
/// \returns         how much the weights have changed
/// \throws ContractError if order is no permutation of the positions
template <typename T>
FrozenStateTest frozen_state_test(const ContextFunction<T>& function,
                                  const Encoding<T>& encoding, const Variable<T>& state,
                                  const Variable<T>& word,
                                  const std::vector<std::size_t>& order);

} // namespace attn::bahdanau
