/// \file
/// \brief Attempts at chapter 1's softmax. The first is right; each other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>

namespace attn::lookup::your_turn::softmax_attempts {

inline double row_maximum(const Matrix& scores, std::size_t i)
{
    double maximum = scores(i, 0);
    for (std::size_t j = 1; j < scores.shape(1); ++j) {
        maximum = std::max(maximum, scores(i, j));
    }
    return maximum;
}

/// Divides each row by its sum.
inline Matrix shares(Matrix weights)
{
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

inline Matrix right(const Matrix& scores, double temperature)
{
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = row_maximum(scores, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp((scores(i, j) - maximum) / temperature);
        }
    }
    return shares(weights);
}

/// The sum runs over the queries.
inline Matrix sums_columns(const Matrix& scores, double temperature)
{
    Matrix weights = right(scores, temperature);
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            sum += weights(i, j);
        }
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

inline Matrix no_maximum(const Matrix& scores, double temperature)
{
    return shares(xt::exp(scores / temperature));
}

inline const testing::Attempts<Matrix(const Matrix&, double)>
    all("softmax", {{"right", right, ""},
                    {"sums_columns", sums_columns, "of its own row, not of a column"},
                    {"no_maximum", no_maximum, "exp(1000) is infinite"}});

} // namespace attn::lookup::your_turn::softmax_attempts
