/// \file
/// \brief Attempts at chapter 5's attention layer. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::attention_versus_dense::your_turn::attention_layer_attempts {

/// tanh(X W + b), or without the tanh.
inline Vector scores(const Matrix& X, const Vector& W, const Vector& b, bool squash = true)
{
    Vector c = b;
    for (std::size_t t = 0; t < X.shape(0); ++t) {
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            c(t) += X(t, k) * W(k);
        }
        c(t) = squash ? std::tanh(c(t)) : c(t);
    }
    return c;
}

inline Vector exponentials(const Vector& c)
{
    const double largest = xt::amax(c)();
    return xt::exp(c - largest);
}

inline Vector sum_over_time(const Matrix& X, const Vector& beta)
{
    Vector f = xt::zeros<double>({X.shape(1)});
    for (std::size_t t = 0; t < X.shape(0); ++t) {
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            f(k) += beta(t) * X(t, k);
        }
    }
    return f;
}

inline Vector normalised(const Vector& e)
{
    const double sum = xt::sum(e)();
    return e / sum;
}

inline Vector right(const Matrix& X, const Vector& W, const Vector& b)
{
    return sum_over_time(X, normalised(exponentials(scores(X, W, b))));
}

inline Vector tanh_forgotten(const Matrix& X, const Vector& W, const Vector& b)
{
    return sum_over_time(X, normalised(exponentials(scores(X, W, b, false))));
}

inline Vector not_normalised(const Matrix& X, const Vector& W, const Vector& b)
{
    return sum_over_time(X, xt::exp(scores(X, W, b)));
}

inline const testing::Attempts<Vector(const Matrix&, const Vector&, const Vector&)>
    all("attention_layer", {{"right", right, ""},
                            {"tanh_forgotten", tanh_forgotten, "did you forget the tanh"},
                            {"not_normalised", not_normalised, "divide the"}});

} // namespace attn::attention_versus_dense::your_turn::attention_layer_attempts
