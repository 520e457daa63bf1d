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

inline Matrix sign_turned(const Matrix& weights, const Matrix& dweights)
{
    return -right(weights, dweights);
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

inline Matrix plain_mean(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t l = 0; l < weights.shape(1); ++l) {
            sum += weights(i, l) > 0 ? dweights(i, l) : 0;
        }
        return weights(i, j) * (dweights(i, j) - sum / static_cast<double>(weights.shape(1)));
    });
}

inline Matrix sum_not_weighted(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t l = 0; l < weights.shape(1); ++l) {
            sum += weights(i, l) > 0 ? dweights(i, l) : 0;
        }
        return weights(i, j) * (dweights(i, j) - sum);
    });
}

inline Matrix weight_forgotten(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        return dweights(i, j) - mean_of(weights, dweights, i);
    });
}

inline Matrix first_rows_mean(const Matrix& weights, const Matrix& dweights)
{
    return each(weights, [&](std::size_t i, std::size_t j) {
        return weights(i, j) * (dweights(i, j) - mean_of(weights, dweights, 0));
    });
}

/// No key is passed over.
inline Matrix hidden_keys_counted(const Matrix& weights, const Matrix& dweights)
{
    const Matrix products = weights * dweights;
    const Matrix means = xt::sum(products, {1}, xt::keep_dims);
    return weights * (dweights - means);
}

/// The mean divided by the sum of the weights, which may be 0.
inline Matrix divided_by_the_sum(const Matrix& weights, const Matrix& dweights)
{
    Matrix dscores = right(weights, dweights);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            dscores(i, j) = weights(i, j) > 0 || sum == 0 ? dscores(i, j) / sum : 0;
        }
    }
    return dscores;
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&)>
    all("softmax_backward",
        {{"right", right, ""},
         {"sign_turned", sign_turned, "a sign turns only where somebody descends"},
         {"diagonal_only", diagonal_only, "a softmax does not notice it if all scores"},
         {"mean_forgotten", mean_forgotten, "a row of the gradient sums to 0"},
         {"plain_mean", plain_mean, "the mean under that query's weights"},
         {"sum_not_weighted", sum_not_weighted, "The mean is taken under the weights"},
         {"weight_forgotten", weight_forgotten, "Each difference times its weight"},
         {"first_rows_mean", first_rows_mean, "one mean for each query"},
         {"hidden_keys_counted", hidden_keys_counted, "0 times infinity is not 0"},
         {"divided_by_the_sum", divided_by_the_sum, "do not divide by the sum"}});

} // namespace attn::backpropagation::your_turn::softmax_backward_attempts
