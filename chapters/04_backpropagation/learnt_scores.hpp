/// \file
/// \brief The scores of chapter 3 on the tape, so that their parameters can be learnt.
/// Deliberately without a task and without a training: those are in learnt_retrieval.hpp.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::backpropagation {

using autograd::Variable;

// ---------------------------------------------------------------- scores on the tape

/// The dot product of each query with each key of its table.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product divided by the root of the size.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> scaled_dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The cosine of the angle between query and key.
/// \param queries  [batch, n_queries, d], no query of length 0
/// \param keys     [batch, n_keys, d], no key of length 0
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> cosine(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product with each key's bias \f$ -\frac12 \lVert k_j \rVert^2 \f$.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> dot_with_key_bias(const Variable<T>& queries, const Variable<T>& keys);

/// The multiplicative score, \f$ s_{ij} = q_i^\top W k_j \f$.
/// \param queries  [batch, n_queries, d_q]
/// \param keys     [batch, n_keys, d_k]
/// \param W        [d_q, d_k]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W);

/// The parameters of the additive score. Matrices multiply from the right, as in all that is
/// trained here: they are those of chapter 3 with rows and columns exchanged.
/// \tparam T  float or double
template <typename T>
struct AdditiveParameters
{
    Variable<T> W_q;              ///< [d_q, d_hidden]
    Variable<T> W_k;              ///< [d_k, d_hidden]
    std::optional<Variable<T>> b; ///< [d_hidden], if there is a bias
    Variable<T> w;                ///< [d_hidden, 1]
};

/// The additive score, \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$.
/// \param queries     [batch, n_queries, d_q]
/// \param keys        [batch, n_keys, d_k]
/// \param parameters  W_q, W_k, b and w
/// \returns           [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters);

// ---------------------------------------------------------------- scores that can be learnt

/// A matrix to be learnt, that begins with normal numbers over the root of its rows: it maps
/// numbers of unit variance to numbers of unit variance.
/// \param generator  of the numbers
/// \param n_rows     numbers before the map
/// \param n_columns  numbers behind it
/// \returns          [n_rows, n_columns]
template <typename T>
Variable<T> matrix_parameter(random::Generator& generator, std::size_t n_rows,
                             std::size_t n_columns);

/// A score with the parameters that it learns, if any.
/// \tparam T  float or double
template <typename T>
struct LearntScore
{
    std::string name;             ///< as the program prints it
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

/// A score by its name, and how it begins.
/// \tparam T  float or double
template <typename T>
struct ScoreMaker
{
    std::string name; ///< as the program prints it
    bool equal_sizes; ///< whether it needs d_q = d_k
    /// Makes it with parameters drawn from the generator.
    std::function<LearntScore<T>(const ScoreSizes& sizes, random::Generator& generator)> make;
};

/// Every score that can be learnt here: dot, scaled dot, cosine with a temperature, dot with
/// key bias and a temperature, multiplicative, the same with key bias, projected, additive
/// without a bias and with one.
/// \returns  the table, in that order
template <typename T>
const std::vector<ScoreMaker<T>>& score_makers();

/// One of them.
/// \param name  as in the table
/// \returns     its maker
/// \throws ContractError if there is none of that name
template <typename T>
const ScoreMaker<T>& score_named(const std::string& name);

} // namespace attn::backpropagation
