#include "chapters/01_lookup/exercises/solutions.hpp"

namespace attn::lookup::solutions {

Matrix interpolation_weights(const Matrix& queries, const Matrix& keys)
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

Matrix context_change_with_temperature(const Matrix& scores, const Matrix& values,
                                       double temperature)
{
    expect_finite(scores, "context_change_with_temperature", "scores");
    const Matrix weights = softmax(scores, temperature); // [n_queries, n_keys]
    Matrix pull = weights;                               // alpha_j (s_j - mean score)
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double mean_score = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            mean_score += weights(i, j) * scores(i, j);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            pull(i, j) = weights(i, j) * (scores(i, j) - mean_score);
        }
    }
    return -weighted_sum(pull, values) / (temperature * temperature); // [n_queries, d_v]
}

} // namespace attn::lookup::solutions
