/// \file
/// \brief Solutions of exercises 1.2 and 1.3.
#pragma once

#include "chapters/01_lookup/lookup.hpp"

/// Solutions of the exercises of chapter 1.
namespace attn::lookup::solutions {

/// Exercise 1.2: linear interpolation as attention. A query between two neighbouring keys
/// puts its weight on these two, the nearer one more; outside the keys' range it takes the
/// nearest. The weights need the keys themselves and not only the scores, because they
/// depend on which key is the neighbour on which side.
/// \param queries  [n_queries, 1]
/// \param keys     [n_keys, 1], n_keys >= 1, rising strictly
/// \returns        [n_queries, n_keys]; rows sum to 1, at most two weights are above 0
/// \throws ContractError if keys or queries are not one column of finite numbers, there is no
///         key, or the keys do not rise
inline Matrix interpolation_weights(const Matrix& queries, const Matrix& keys)
{
    expect_columns(queries, 1, "interpolation_weights", "queries", "numbers on a line");
    expect_columns(keys, 1, "interpolation_weights", "keys", "numbers on a line");
    expect_finite(queries, "interpolation_weights", "queries");
    expect_finite(keys, "interpolation_weights", "keys");
    const std::size_t n_keys = keys.shape(0);
    expect(n_keys >= 1, "interpolation_weights: keys must hold at least one row, got none");
    for (std::size_t j = 1; j < n_keys; ++j) {
        expect(keys(j - 1, 0) < keys(j, 0),
               "interpolation_weights: keys must rise, got {} after {}", keys(j, 0),
               keys(j - 1, 0));
    }
    Matrix weights = xt::zeros<double>({queries.shape(0), n_keys});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        const double query = queries(i, 0);
        std::size_t right = 0; // the first key that is not left of the query
        while (right < n_keys && keys(right, 0) < query) {
            ++right;
        }
        if (right == 0) {
            weights(i, 0) = 1;
        } else if (right == n_keys) {
            weights(i, n_keys - 1) = 1;
        } else {
            const double gap = keys(right, 0) - keys(right - 1, 0);
            weights(i, right) = (query - keys(right - 1, 0)) / gap;
            weights(i, right - 1) = (keys(right, 0) - query) / gap;
        }
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
