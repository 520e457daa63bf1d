/// \file
/// \brief Solutions of exercises 1.2 and 1.3.
#pragma once

#include "chapters/01_lookup/lookup.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

/// Solutions of the exercises of chapter 1.
namespace attn::lookup::solutions {

/// Exercise 1.2, the score: the signed gap \f$ k_j - q_i \f$ of numbers on a line, below 0 for
/// a key on the left. Unlike a score of nearness it says on which side the key lies.
/// \param queries  [n_queries, 1]
/// \param keys     [n_keys, 1]
/// \returns        [n_queries, n_keys]
/// \throws ContractError if queries or keys are not one column
inline Matrix signed_gap(const Matrix& queries, const Matrix& keys)
{
    expect_columns(queries, 1, "signed_gap", "queries", "numbers on a line");
    expect_columns(keys, 1, "signed_gap", "keys", "numbers on a line");
    return xt::transpose(keys) - queries;
}

/// Exercise 1.2, the normaliser: linear interpolation. Of the keys on the left (a gap of 0
/// or below) only the nearest count, and so on the right; the two sides share the weight, the
/// nearer one getting more. Where one side is empty the other has all the weight. Keys that
/// tie share their side's weight equally.
/// \param gaps  [n_queries, n_keys], signed and finite, n_keys >= 1
/// \returns     [n_queries, n_keys]; rows sum to 1
/// \throws ContractError if a gap is not finite or there is no key
inline Matrix interpolate(const Matrix& gaps)
{
    expect_finite(gaps, "interpolate", "gaps");
    expect(gaps.shape(1) >= 1, "interpolate: gaps must hold at least one column, got none");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Matrix weights = xt::zeros_like(gaps);
    for (std::size_t i = 0; i < gaps.shape(0); ++i) {
        // Find the nearest gap on each side; a key at the query is on both.
        double left = -infinity;
        double right = infinity;
        for (const double gap : xt::row(gaps, static_cast<std::ptrdiff_t>(i))) {
            left = gap <= 0 ? std::max(left, gap) : left;
            right = gap >= 0 ? std::min(right, gap) : right;
        }
        double left_weight = right == infinity ? 1 : 0;
        if (left > -infinity && right < infinity && left < right) {
            left_weight = right / (right - left);
        }

        // Give each side's weight to its nearest keys in equal parts.
        const auto share_out = [&](double nearest, double weight) {
            std::size_t n_ties = 0;
            for (std::size_t j = 0; j < gaps.shape(1); ++j) {
                n_ties += gaps(i, j) == nearest ? 1 : 0;
            }
            for (std::size_t j = 0; j < gaps.shape(1); ++j) {
                if (gaps(i, j) == nearest) {
                    weights(i, j) += weight / static_cast<double>(n_ties);
                }
            }
        };
        share_out(left, left_weight);
        share_out(right, 1 - left_weight);
    }
    return weights;
}

/// Exercise 1.3: how fast the context moves as the temperature rises. With
/// \f$ \bar s = \sum_j \alpha_j s_j \f$,
/// \f[ \frac{\partial c}{\partial \tau}
///     = -\frac{1}{\tau^2} \sum_j \alpha_j (s_j - \bar s) v_j , \f]
/// the covariance of values and scores under the weights, over minus the squared temperature.
/// \param scores       [n_queries, n_keys], finite
/// \param values       [n_keys, d_v]
/// \param temperature  positive
/// \returns            [n_queries, d_v]
/// \throws ContractError if a score is not finite, and as softmax and weighted_sum do
inline Matrix context_change_with_temperature(const Matrix& scores, const Matrix& values,
                                              double temperature)
{
    expect_finite(scores, "context_change_with_temperature", "scores");
    const Matrix weights = softmax(scores, temperature); // [n_queries, n_keys]
    const Matrix mean_score = xt::sum(weights * scores, {1}, xt::keep_dims); // [n_queries, 1]
    const Matrix pull = weights * (scores - mean_score);
    return -weighted_sum(pull, values) / (temperature * temperature); // [n_queries, d_v]
}

} // namespace attn::lookup::solutions
