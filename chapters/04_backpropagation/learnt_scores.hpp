/// \file
/// \brief The scores of chapter 3 on the tape, for stacks of tables, so that their parameters can
/// be learnt. What they are trained on is in experiments/retrieval_tasks.cpp.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace attn::backpropagation {

using autograd::Variable;

// ---------------------------------------------------------------- scores on the tape
//
// Each takes queries [batch, n_queries, d_q] and keys [batch, n_keys, d_k], returns
// [batch, n_queries, n_keys], and throws a ContractError if the shapes do not go together. T is
// float or double.

/// The dot product of each query with each key of its table, d_q = d_k.
template <typename T>
Variable<T> dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product divided by the root of the size, d_q = d_k.
template <typename T>
Variable<T> scaled_dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The cosine of the angle between query and key, d_q = d_k, none of length 0.
template <typename T>
Variable<T> cosine(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product with each key's bias \f$ -\frac12 \lVert k_j \rVert^2 \f$, d_q = d_k.
template <typename T>
Variable<T> dot_with_key_bias(const Variable<T>& queries, const Variable<T>& keys);

/// The multiplicative score, \f$ s_{ij} = q_i^\top W k_j \f$, with W [d_q, d_k].
template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W);

/// The additive score of projected queries and keys (\cite bahdanau2015),
/// \f$ s_{bij} = w \cdot \tanh(x_{bi} + y_{bj}) \f$: one step of the tape, so that the hidden units of
/// all pairs are written once and read once. What is the same at every query, the projection of the
/// keys, is done by the caller, once.
/// \param x  the queries, projected, with the bias if there is one [batch, n_queries, d_hidden]
/// \param y  the keys, projected, another variable than x [batch, n_keys, d_hidden]
/// \param w  [d_hidden, 1]; or [d_hidden], for inner products of lists instead of one product of
///           matrices, which are rounded in another order
/// \returns  [batch, n_queries, n_keys]
/// \throws ContractError naming the shapes if they do not go together
template <typename T>
Variable<T> additive_scores(const Variable<T>& x, const Variable<T>& y, const Variable<T>& w);

/// The parameters of the additive score. Matrices multiply from the right, as in all that is
/// trained here: they are those of chapter 3 transposed.
template <typename T>
struct AdditiveParameters
{
    Variable<T> W_q;              ///< [d_q, d_hidden]
    Variable<T> W_k;              ///< [d_k, d_hidden]
    std::optional<Variable<T>> b; ///< [d_hidden], if there is a bias
    Variable<T> w;                ///< [d_hidden, 1]
};

/// The additive score, \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$.
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters);

// ---------------------------------------------------------------- scores that can be learnt

/// A matrix to be learnt, that begins with normal numbers over the root of its rows: it maps
/// numbers of unit variance to numbers of unit variance.
/// \returns [n_rows, n_columns]
template <typename T>
Variable<T> matrix_parameter(random::Generator& generator, std::size_t n_rows,
                             std::size_t n_columns);

/// A score with the parameters that it learns, if any.
template <typename T>
struct LearntScore
{
    nn::Parameters<T> parameters; ///< shared with the function
    /// Queries [batch, n_queries, d_q], keys [batch, n_keys, d_k], to [batch, n_queries, n_keys].
    std::function<Variable<T>(const Variable<T>& queries, const Variable<T>& keys)> score;
};

/// The sizes that a score is made for.
struct ScoreSizes
{
    std::size_t d_q;           ///< numbers in a query
    std::size_t d_k;           ///< numbers in a key
    std::size_t d_hidden = 32; ///< hidden units; columns of the projections
};

/// The additive score with parameters drawn from the generator.
template <typename T>
LearntScore<T> learnt_additive(const ScoreSizes& sizes, random::Generator& generator,
                               bool bias);

} // namespace attn::backpropagation
