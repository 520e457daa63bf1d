/// \file
/// \brief A query at a memory, each sentence with a memory of its own: dot products and weighted
/// sums, one step of the tape each. Deliberately without the softmax in between: that is softmax.hpp.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// One dot product a query and key, \f$ s_{bj} = q_b \cdot k_{bj} \f$: a product of matrices
/// of one row, for which a call of a library takes longer than the work.
/// \param queries  one a sentence [batch, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_keys]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> dot_scores(const Variable<T>& queries, const Variable<T>& keys);

/// The sum of each sentence's values under its weights, \f$ c_b = \sum_j p_{bj} v_{bj} \f$.
/// \param weights  one row a sentence [batch, n_keys]
/// \param values   [batch, n_keys, d]
/// \returns        contexts [batch, d]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> weighted_sum(const Variable<T>& weights, const Variable<T>& values);

} // namespace attn::autograd
