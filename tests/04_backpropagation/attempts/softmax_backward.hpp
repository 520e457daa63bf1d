/// \file
/// \brief Attempts at chapter 4's way back through a softmax. The first is right; each other
/// makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::backpropagation::your_turn::softmax_backward_attempts {

/// The sum of weight times what arrives, over the keys with weight.
inline double mean_of(const Matrix& weights, const Matrix& dweights, std::size_t i)
{
    double sum = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
        sum += weights(i, j) > 0 ? weights(i, j) * dweights(i, j) : 0;
    }
    return sum;
}

/// entry(i, j) for each key with weight.
template <typename Entry>
Matrix each(const Matrix& weights, Entry entry)
{
    Matrix dscores = xt::zeros<double>({weights.shape(0), weights.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            if (weights(i, j) > 0) {
                dscores(i, j) = entry(i, j);
            }
        }
    }
    return dscores;
}

inline Matrix right(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        return weights(i, j) * (dweights(i, j) - mean_of(weights, dweights, i));
    });
}

/// As if the softmax were a function of one score.
inline Matrix diagonal_only(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        return weights(i, j) * (1 - weights(i, j)) * dweights(i, j);
    });
}

inline Matrix mean_forgotten(const Matrix& weights, const Matrix& dweights)
{
    return each(weights,
                [&](std::size_t i, std::size_t j) { return weights(i, j) * dweights(i, j); });
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&)>
    all("softmax_backward",
        {{"right", right, ""},
         {"diagonal_only", diagonal_only, "a softmax does not notice it if all scores"},
         {"mean_forgotten", mean_forgotten, "a row of the gradient sums to 0"}});

} // namespace attn::backpropagation::your_turn::softmax_backward_attempts
