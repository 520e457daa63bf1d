/// \file
/// \brief Lookup made soft: queries, keys, values, and the function `attend` that later chapters
/// call with a score and a normaliser of their own, or compute in forms of their own.
#pragma once

#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Chapter 1: exact, nearest, averaging and soft lookup as one operation.
namespace attn::lookup {

/// How well each key answers each query.
struct Score
{
    std::string name; ///< as programs, figures and tests print it
    std::string idea; ///< what it measures, in one line
    /// queries [n_queries, d_k], keys [n_keys, d_k] -> scores [n_queries, n_keys]
    std::function<Matrix(const Matrix& queries, const Matrix& keys)> compare;

    /// Compares every query with every key.
    /// \throws ContractError if a query and a key have different sizes
    Matrix operator()(const Matrix& queries, const Matrix& keys) const
    {
        return compare(queries, keys);
    }
};

/// What becomes of a query's scores before they weigh the values.
struct Normaliser
{
    std::string name; ///< as programs, figures and tests print it
    std::string idea; ///< what the weights then mean, in one line
    /// scores [n_queries, n_keys] -> weights [n_queries, n_keys], row by row
    std::function<Matrix(const Matrix& scores)> weigh;

    /// Turns each row of scores into a row of weights.
    /// \throws ContractError if a score is not a number or is +infinity
    Matrix operator()(const Matrix& scores) const { return weigh(scores); }
};

/// All that one call of `attend` computed, so that every step can be looked at.
struct Attention
{
    Matrix scores;  ///< [n_queries, n_keys]
    Matrix weights; ///< [n_queries, n_keys]
    Matrix context; ///< [n_queries, d_v], the answers
};

/// Each query's weighted sum of the values, \f$ c_i = \sum_j \alpha_{ij} v_j \f$.
/// \param weights  [n_queries, n_keys]
/// \param values   [n_keys, d_v]; that of a key without weight may be anything, even nan
/// \returns        [n_queries, d_v]
/// \throws ContractError if there is not one value a key
Matrix weighted_sum(const Matrix& weights, const Matrix& values);

/// Attention: score every key against every query, normalise, and sum the values with
/// those weights. A key counts by what it holds, not by its position.
/// \tparam ScoreFunction  callable as queries, keys -> scores
/// \tparam NormaliseFunction  callable as scores -> weights
/// \param queries  [n_queries, d_q]
/// \param keys     [n_keys, d_k], n_keys >= 1
/// \param values   [n_keys, d_v]
/// \param score    how well a key answers a query; it decides whether d_q = d_k is needed
/// \returns        scores and weights [n_queries, n_keys], context [n_queries, d_v]
/// \throws ContractError if there is no key, or not one value a key
// [attend]
template <typename ScoreFunction, typename NormaliseFunction>
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                 const ScoreFunction& score, const NormaliseFunction& normalise)
{
    expect(keys.shape(0) >= 1, "attend: keys must hold at least one row, got none");
    expect_rows(values, keys.shape(0), "attend", "values", "one row a key");

    Attention attention;
    attention.scores = score(queries, keys);                     // [n_queries, n_keys]
    attention.weights = normalise(attention.scores);             // [n_queries, n_keys]
    attention.context = weighted_sum(attention.weights, values); // [n_queries, d_v]
    return attention;
}
// [attend]

// ---------------------------------------------------------------- scores
//
// Each compares queries [n_queries, d_k] with keys [n_keys, d_k], returns [n_queries, n_keys],
// and throws a ContractError if a query and a key have different sizes.

/// The database's `WHERE key = query`: 1 if the key equals the query in every coordinate,
/// else 0.
Matrix equality(const Matrix& queries, const Matrix& keys);

/// Nearness, \f$ -\frac12 \lVert q_i - k_j \rVert^2 \f$: 0 for a key at the query, below
/// 0 elsewhere, and finite where the square overflows. The half makes a temperature of the softmax
/// the square of a Gaussian's width.
Matrix minus_half_squared_distance(const Matrix& queries, const Matrix& keys);

/// The dot product \f$ q_i \cdot k_j \f$: it grows with the length of the key.
Matrix dot_product(const Matrix& queries, const Matrix& keys);

/// The three scores above, for whoever iterates over them.
const std::vector<Score>& scores();

// ---------------------------------------------------------------- normalisers
//
// Each turns scores [n_queries, n_keys] into weights of that shape. The last four take
// -infinity for a masked key, return rows that sum to 1, or to 0 where every key is masked, and
// throw a ContractError if a score is not a number or is +infinity.

/// The scores as they are. Each row may sum to anything.
/// \throws ContractError if a score is not finite
Matrix unnormalised(const Matrix& scores);

/// Each score's share of its row's sum, \f$ \alpha_{ij} = s_{ij} / \sum_l s_{il} \f$.
/// A row of zeros stays a row of zeros: nothing was found, and the context is zero.
/// \throws ContractError if a score is negative or not finite, or the sum of a row is not finite
Matrix share(const Matrix& scores);

/// The same weight for every key that is not masked, whatever its score: the mean of the
/// values, and what the softmax tends to at infinite temperature.
Matrix average(const Matrix& scores);

/// All weight on the highest score; keys that tie for it share it equally, which is what
/// the softmax tends to at temperature 0.
Matrix one_hot(const Matrix& scores);

/// The same weight 1/k on the k highest scores. Keys that tie for the last places share
/// them equally, so that no answer depends on the order of the rows.
/// \param k  how many keys, at least 1; with fewer keys in a row, all of them
/// \throws ContractError if k is 0
Matrix k_nearest(const Matrix& scores, std::size_t k);

/// Softmax of each row,
/// \f$ \alpha_{ij} = e^{s_{ij}/\tau} / \sum_l e^{s_{il}/\tau} \f$ (\cite bridle1990).
/// The row's maximum is subtracted first: in exact arithmetic that changes nothing, and no
/// exponential can overflow, at any temperature.
/// \param temperature  \f$ \tau > 0 \f$, in the units of the scores
/// \throws ContractError if the temperature is not positive and finite
Matrix softmax(const Matrix& scores, double temperature = 1.0);

/// The four normalisers of scores that may be negative, for whoever iterates over them.
/// \param k            of the k nearest, at least 1
/// \param temperature  of the softmax, positive
/// \returns            nearest, k nearest, soft, average
std::vector<Normaliser> normalisers(std::size_t k, double temperature);

// ---------------------------------------------------------------- lookups

/// One way to look something up: a score and a normaliser under a name.
struct Lookup
{
    std::string name;      ///< as programs, figures and tests print it
    Score score;           ///< what it compares
    Normaliser normaliser; ///< what it makes of the comparison
};

/// From the database to attention: exact (sum), exact (mean), nearest, k nearest, soft,
/// average.
/// \param k            of the k nearest, at least 1
/// \param temperature  of the soft lookup, positive
std::vector<Lookup> lookups(std::size_t k, double temperature);

} // namespace attn::lookup
