/// \file
/// \brief A batch of queries at a memory, each sentence with a memory of its own: additive scores,
/// dot products and weighted sums, one step of the tape each. Deliberately without the softmax in
/// between, and without what is projected once a sentence: those are softmax.hpp and linear.hpp.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// Additive scores of projected queries and keys (\cite bahdanau2015),
/// \f$ s_{bij} = w^\top \tanh(q_{bi} + k_{bj}) \f$. What is the same at every query, the
/// projection of the keys, is done by the caller, once.
/// \param queries  projected, with the bias if there is one [batch, n_queries, d_hidden]
/// \param keys     projected [batch, n_keys, d_hidden]
/// \param w        [d_hidden]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError naming the shapes if they do not go together
template <typename T>
Variable<T> additive_scores(const Variable<T>& queries, const Variable<T>& keys,
                            const Variable<T>& w);

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
