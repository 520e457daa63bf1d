/// \file
/// \brief The gradients of softmax and of attention, written out by hand as the page derives
/// them, in plain matrices of doubles; and the slope of a context with respect to its query,
/// which is a covariance. Deliberately without a tape: the tests hold the two to each other.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/tensor/tensor.hpp"

#include <functional>
#include <string>
#include <vector>

/// Chapter 4: how attention's parameters are learnt.
namespace attn::backpropagation {

// ---------------------------------------------------------------- the softmax

/// The way back through a softmax, row by row,
/// \f$ ds_j = \alpha_j (d\alpha_j - \sum_l \alpha_l \, d\alpha_l) \f$, with or without a mask:
/// where a weight is 0, so is the gradient of its score, whatever arrives there. A row in which
/// nothing is visible has only zeros.
/// \param weights   [n_queries, n_keys], what the softmax returned
/// \param dweights  [n_queries, n_keys], the gradient of the loss with respect to them
/// \returns         [n_queries, n_keys], that with respect to the scores
/// \throws ContractError if the shapes differ
Matrix softmax_backward(const Matrix& weights, const Matrix& dweights);

// ---------------------------------------------------------------- attention

/// What flows back through a weighted sum.
struct WeightedSumGradients
{
    Matrix dweights; ///< [n_queries, n_keys]
    Matrix dvalues;  ///< [n_keys, d_v]
};

/// The way back through the weighted sum \f$ C = A V \f$: \f$ dA = dC \, V^\top \f$ and
/// \f$ dV = A^\top dC \f$.
/// \param weights   [n_queries, n_keys]
/// \param values    [n_keys, d_v]
/// \param dcontext  [n_queries, d_v]
/// \returns         the gradients of both
/// \throws ContractError if the shapes do not fit
WeightedSumGradients weighted_sum_backward(const Matrix& weights, const Matrix& values,
                                           const Matrix& dcontext);

/// What flows back through a score without parameters.
struct ScoreGradients
{
    Matrix dqueries; ///< [n_queries, d]
    Matrix dkeys;    ///< [n_keys, d]
};

/// The way back through the dot product \f$ S = Q K^\top \f$: \f$ dQ = dS \, K \f$ and
/// \f$ dK = dS^\top Q \f$.
/// \param queries  [n_queries, d]
/// \param keys     [n_keys, d]
/// \param dscores  [n_queries, n_keys]
/// \returns        the gradients of both
/// \throws ContractError if the shapes do not fit
ScoreGradients dot_product_backward(const Matrix& queries, const Matrix& keys,
                                    const Matrix& dscores);

/// What flows back through attention, the intermediates included.
struct AttentionGradients
{
    Matrix dweights; ///< [n_queries, n_keys]
    Matrix dscores;  ///< [n_queries, n_keys]
    Matrix dqueries; ///< [n_queries, d]
    Matrix dkeys;    ///< [n_keys, d]
    Matrix dvalues;  ///< [n_keys, d_v]
};

/// The way back through \f$ C = \softmax(Q K^\top) V \f$.
/// \param queries   [n_queries, d]
/// \param keys      [n_keys, d]
/// \param values    [n_keys, d_v]
/// \param weights   [n_queries, n_keys], of the softmax, with or without a mask
/// \param dcontext  [n_queries, d_v]
/// \returns         the gradients, from the context to the queries
/// \throws ContractError if the shapes do not fit
AttentionGradients attention_backward(const Matrix& queries, const Matrix& keys,
                                      const Matrix& values, const Matrix& weights,
                                      const Matrix& dcontext);

/// What flows back through the additive score.
struct AdditiveGradients
{
    Matrix dqueries;                         ///< [n_queries, d_q]
    Matrix dkeys;                            ///< [n_keys, d_k]
    scoring_functions::Additive dparameters; ///< of the shapes of W_q, W_k, b and w
};

/// The way back through the additive score
/// \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$.
/// \param queries     [n_queries, d_q]
/// \param keys        [n_keys, d_k]
/// \param parameters  W_q, W_k, b and w
/// \param dscores     [n_queries, n_keys]
/// \returns           the gradients of queries, keys and parameters
/// \throws ContractError if the shapes do not fit
AdditiveGradients additive_backward(const Matrix& queries, const Matrix& keys,
                                    const scoring_functions::Additive& parameters,
                                    const Matrix& dscores);

// ---------------------------------------------------------------- the covariance

/// How a context answers to its query: by the covariance, under the weights, of the values with
/// the slopes of the scores,
///
/// \f[ \frac{\partial c}{\partial q} = \mathrm{Cov}_\alpha(v, \nabla_q s)
///     = \sum_j \alpha_j (v_j - c)(g_j - \bar g)^\top , \f]
///
/// with \f$ g_j = \nabla_q s_j \f$ and \f$ \bar g = \sum_j \alpha_j g_j \f$.
/// \param weights       [n_keys], summing to 1, or zeros where nothing is visible
/// \param values        [n_keys, d_v]; that of a key without weight may be anything
/// \param score_slopes  [n_keys, d_q], the gradient of each score with respect to the query;
///                      the same holds
/// \returns             [d_v, d_q]; zeros where nothing is visible
/// \throws ContractError if there is not one value and one slope a key
Matrix covariance_of_values(const Vector& weights, const Matrix& values,
                            const Matrix& score_slopes);

/// A score and its slopes.
struct SlopingScore
{
    lookup::Score score; ///< as in chapter 3, or the logarithm of chapter 2's kernel
    std::string slope;   ///< of the score of key j with respect to the query, in one line
    /// query [d_q], keys [n_keys, d_k] -> the gradient of each key's score, [n_keys, d_q]
    std::function<Matrix(const Vector& query, const Matrix& keys)> slopes;
};

/// Every score of chapter 3, and the Gaussian kernel of chapter 2, with its slopes. At a query
/// of zeros the cosine, which is 0 there by convention, has no slope, and zeros are returned.
/// \param W           [d_q, d_k], of the multiplicative score
/// \param parameters  of the additive score
/// \param bandwidth   the Gaussian's width, above 0
/// \returns           dot, scaled dot, cosine, dot + key bias, multiplicative, additive,
///                    gaussian
/// \throws ContractError if the width is not positive and finite
std::vector<SlopingScore> sloping_scores(const Matrix& W,
                                         const scoring_functions::Additive& parameters,
                                         double bandwidth);

} // namespace attn::backpropagation
