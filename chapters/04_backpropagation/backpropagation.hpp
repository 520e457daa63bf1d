/// \file
/// \brief The gradients of softmax and of attention, written out by hand as the page derives
/// them, in plain matrices of doubles; and the derivative of a context with respect to its query,
/// which is a covariance. No tape: the tests hold the two to each other.
///
/// Queries are [n_queries, d], keys [n_keys, d], values [n_keys, d_v], scores and weights
/// [n_queries, n_keys], contexts [n_queries, d_v]; dx, the gradient of the loss with respect to
/// x, has the shape of x. Weights are what the softmax returned, with or without a mask. All
/// throw a ContractError if shapes do not fit.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/tensor/tensor.hpp"

/// Chapter 4: how attention's parameters are learnt.
namespace attn::backpropagation {

/// The backward pass of a softmax, row by row,
/// \f$ ds_j = \alpha_j (d\alpha_j - \sum_l \alpha_l \, d\alpha_l) \f$, with or without a mask:
/// where a weight is 0, so is the gradient of its score, whatever arrives there. A fully masked
/// row has only zeros.
Matrix softmax_backward(const Matrix& weights, const Matrix& dweights);

/// The gradients of a weighted sum.
struct WeightedSumGradients
{
    Matrix dweights; ///< [n_queries, n_keys]
    Matrix dvalues;  ///< [n_keys, d_v]
};

/// The backward pass of the weighted sum \f$ C = A V \f$: \f$ dA = dC \, V^\top \f$ and
/// \f$ dV = A^\top dC \f$.
WeightedSumGradients weighted_sum_backward(const Matrix& weights, const Matrix& values,
                                           const Matrix& dcontext);

/// The gradients of a score without parameters.
struct ScoreGradients
{
    Matrix dqueries; ///< [n_queries, d]
    Matrix dkeys;    ///< [n_keys, d]
};

/// The backward pass of the dot product \f$ S = Q K^\top \f$: \f$ dQ = dS \, K \f$ and
/// \f$ dK = dS^\top Q \f$.
ScoreGradients dot_product_backward(const Matrix& queries, const Matrix& keys,
                                    const Matrix& dscores);

/// The gradients of attention, the intermediates included.
struct AttentionGradients
{
    Matrix dweights; ///< [n_queries, n_keys]
    Matrix dscores;  ///< [n_queries, n_keys]
    Matrix dqueries; ///< [n_queries, d]
    Matrix dkeys;    ///< [n_keys, d]
    Matrix dvalues;  ///< [n_keys, d_v]
};

/// The backward pass of \f$ C = \softmax(Q K^\top) V \f$.
AttentionGradients attention_backward(const Matrix& queries, const Matrix& keys,
                                      const Matrix& values, const Matrix& weights,
                                      const Matrix& dcontext);

/// The gradients of the additive score.
struct AdditiveGradients
{
    Matrix dqueries;                         ///< [n_queries, d_q]
    Matrix dkeys;                            ///< [n_keys, d_k]
    scoring_functions::Additive dparameters; ///< of the shapes of W_q, W_k, b and w
};

/// The backward pass of the additive score
/// \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$.
AdditiveGradients additive_backward(const Matrix& queries, const Matrix& keys,
                                    const scoring_functions::Additive& parameters,
                                    const Matrix& dscores);

/// The Jacobian of a context with respect to its query: the covariance, under the weights, of the
/// values with the gradients of the scores,
///
/// \f[ \frac{\partial c}{\partial q} = \mathrm{Cov}_\alpha(v, \nabla_q s)
///     = \sum_j \alpha_j (v_j - c)(g_j - \bar g)^\top , \f]
///
/// with \f$ g_j = \nabla_q s_j \f$ and \f$ \bar g = \sum_j \alpha_j g_j \f$.
/// \param weights          [n_keys], summing to 1, or zeros where all is masked
/// \param values           [n_keys, d_v]; that of a key without weight may be anything
/// \param score_gradients  [n_keys, d_q], of each score with respect to the query; the same holds
/// \returns                [d_v, d_q]; zeros where all is masked
Matrix covariance_of_values(const Vector& weights, const Matrix& values,
                            const Matrix& score_gradients);

} // namespace attn::backpropagation
