/// \file
/// \brief Attempts at chapter 4's way back from a context to its query. The first is right; each
/// other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/04_backpropagation/attempts/softmax_backward.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::backpropagation::your_turn::query_backward_attempts {

using softmax_backward_attempts::mean_forgotten;

inline Matrix product(const Matrix& a, const Matrix& b)
{
    Matrix c = xt::zeros<double>({a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        for (std::size_t j = 0; j < b.shape(1); ++j) {
            for (std::size_t l = 0; l < b.shape(0); ++l) {
                c(i, j) += a(i, l) * b(l, j);
            }
        }
    }
    return c;
}

inline Matrix dweights_of(const Matrix& values, const Matrix& dcontext)
{
    return product(dcontext, xt::transpose(values));
}

inline Matrix right(const Matrix& keys, const Matrix& values, const Matrix& weights,
                    const Matrix& dcontext)
{
    return product(softmax_backward_attempts::right(weights, dweights_of(values, dcontext)),
                   keys);
}

inline Matrix past_the_softmax(const Matrix& keys, const Matrix& values, const Matrix&,
                               const Matrix& dcontext)
{
    return product(dweights_of(values, dcontext), keys);
}

inline Matrix without_the_mean(const Matrix& keys, const Matrix& values, const Matrix& weights,
                               const Matrix& dcontext)
{
    return product(mean_forgotten(weights, dweights_of(values, dcontext)), keys);
}

inline Matrix sign_turned(const Matrix& keys, const Matrix& values, const Matrix& weights,
                          const Matrix& dcontext)
{
    return -right(keys, values, weights, dcontext);
}

/// The gradient of the keys, as if each key were its own query.
inline Matrix of_the_keys(const Matrix& keys, const Matrix& values, const Matrix& weights,
                          const Matrix& dcontext)
{
    const Matrix dscores =
        softmax_backward_attempts::right(weights, dweights_of(values, dcontext));
    return product(xt::transpose(dscores), product(dscores, keys));
}

/// Divided by the root of d, which was not there on the way forward.
inline Matrix scaled(const Matrix& keys, const Matrix& values, const Matrix& weights,
                     const Matrix& dcontext)
{
    return right(keys, values, weights, dcontext) /
           std::sqrt(static_cast<double>(keys.shape(1)));
}

/// Divided by the number of keys, as an average would be.
inline Matrix averaged(const Matrix& keys, const Matrix& values, const Matrix& weights,
                       const Matrix& dcontext)
{
    return right(keys, values, weights, dcontext) / static_cast<double>(keys.shape(0));
}

/// Every query with the first one's weights.
inline Matrix first_query_only(const Matrix& keys, const Matrix& values, const Matrix& weights,
                               const Matrix& dcontext)
{
    Matrix repeated = weights;
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            repeated(i, j) = weights(0, j);
        }
    }
    return right(keys, values, repeated, dcontext);
}

/// What arrives divided by its length.
inline Matrix length_one(const Matrix& keys, const Matrix& values, const Matrix& weights,
                         const Matrix& dcontext)
{
    double square = 0;
    for (const double entry : dcontext) {
        square += entry * entry;
    }
    return right(keys, values, weights, dcontext / std::sqrt(square));
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&,
                                      const Matrix&)>
    all("query_backward",
        {{"right", right, ""},
         {"past_the_softmax", past_the_softmax, "did you go back through the softmax?"},
         {"without_the_mean", without_the_mean, "The softmax's way back subtracts the mean"},
         {"sign_turned", sign_turned, "the covariance of the values with the keys"},
         {"of_the_keys", of_the_keys, "the gradient has their shape, [2, 3]"},
         {"scaled", scaled, "the dot product is not scaled here"},
         {"averaged", averaged, "nothing is divided"},
         {"first_query_only", first_query_only, "each query with its own row"},
         {"length_one", length_one, "neither squared nor normalised"}});

} // namespace attn::backpropagation::your_turn::query_backward_attempts
