/// \file
/// \brief Attempts at chapter 3's masked softmax. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::scoring_functions::your_turn::masked_softmax_attempts {

using Mask = xt::xtensor<bool, 2>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The largest score of a row, of the visible keys only.
inline double visible_maximum(const Matrix& scores, const Mask& mask, std::size_t i)
{
    double maximum = -infinity;
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        maximum = mask(i, j) ? std::max(maximum, scores(i, j)) : maximum;
    }
    return maximum;
}

/// Divides each row by its sum, and leaves a row without any weight as it is.
inline Matrix shares(Matrix weights)
{
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            weights(i, j) = sum == 0 ? 0 : weights(i, j) / sum;
        }
    }
    return weights;
}

inline Matrix right(const Matrix& scores, const Mask& mask)
{
    Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = visible_maximum(scores, mask, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (mask(i, j)) {
                weights(i, j) = std::exp(scores(i, j) - maximum);
            }
        }
    }
    return shares(weights);
}

/// The ordinary softmax of all keys, hidden or not.
inline Matrix unmasked(const Matrix& scores)
{
    Mask everything = Mask::from_shape({scores.shape(0), scores.shape(1)});
    everything.fill(true);
    return right(scores, everything);
}

/// Hides weights that have been divided already.
inline Matrix masked_after_the_softmax(const Matrix& scores, const Mask& mask)
{
    Matrix weights = unmasked(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = mask(i, j) ? weights(i, j) : 0;
        }
    }
    return weights;
}

inline Matrix large_negative_number(const Matrix& scores, const Mask& mask)
{
    Matrix hidden = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            hidden(i, j) = mask(i, j) ? scores(i, j) : -1e9;
        }
    }
    return unmasked(hidden);
}

inline const testing::Attempts<Matrix(const Matrix&, const Mask&)>
    all("masked_softmax",
        {{"right", right, ""},
         {"masked_after_the_softmax", masked_after_the_softmax, "hide first and divide then"},
         {"large_negative_number", large_negative_number,
          "a large negative number in place of minus infinity is still above them"}});

} // namespace attn::scoring_functions::your_turn::masked_softmax_attempts
