/// \file
/// \brief Attempts at chapter 5's attention layer. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::attention_versus_dense::your_turn::attention_layer_attempts {

/// tanh(X W + b), or without one of its parts.
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

inline Vector tanh_of_the_result(const Matrix& X, const Vector& W, const Vector& b)
{
    return xt::tanh(tanh_forgotten(X, W, b));
}

inline Vector not_normalised(const Matrix& X, const Vector& W, const Vector& b)
{
    return sum_over_time(X, xt::exp(scores(X, W, b)));
}

inline Vector scores_as_weights(const Matrix& X, const Vector& W, const Vector& b)
{
    return sum_over_time(X, scores(X, W, b));
}

inline Vector bias_forgotten(const Matrix& X, const Vector& W, const Vector&)
{
    return right(X, W, xt::zeros<double>({X.shape(0)}));
}

/// The bias of the first step for all.
inline Vector one_bias(const Matrix& X, const Vector& W, const Vector& b)
{
    return right(X, W, xt::full_like(b, b(0)));
}

/// As if nothing but the tanh stood before the bias.
inline Vector bias_behind_the_tanh(const Matrix& X, const Vector& W, const Vector& b)
{
    const Vector none = xt::zeros<double>({X.shape(0)});
    return sum_over_time(X, normalised(exponentials(scores(X, W, none) + b)));
}

/// beta_t x_t summed over the features: a number for each step.
inline Vector summed_over_features(const Matrix& X, const Vector& W, const Vector& b)
{
    const Vector beta = normalised(exponentials(scores(X, W, b)));
    Vector f = xt::zeros<double>({X.shape(0)});
    for (std::size_t t = 0; t < X.shape(0); ++t) {
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            f(t) += beta(t) * X(t, k);
        }
    }
    return f;
}

/// The mean of what was weighed.
inline Vector averaged(const Matrix& X, const Vector& W, const Vector& b)
{
    return right(X, W, b) / static_cast<double>(X.shape(0));
}

/// The first step gets the rest of the weight of nobody.
inline Vector last_step_skipped(const Matrix& X, const Vector& W, const Vector& b)
{
    Vector e = exponentials(scores(X, W, b));
    e(e.size() - 1) = 0;
    return sum_over_time(X, normalised(e));
}

inline const testing::Attempts<Vector(const Matrix&, const Vector&, const Vector&)>
    all("attention_layer",
        {{"right", right, ""},
         {"tanh_forgotten", tanh_forgotten, "did you forget the tanh"},
         {"tanh_of_the_result", tanh_of_the_result, "nothing stands"},
         {"not_normalised", not_normalised, "divide the"},
         {"scores_as_weights", scores_as_weights, "weights that sum to 1 over time"},
         {"bias_forgotten", bias_forgotten, "b has a number for each step"},
         {"one_bias", one_bias, "b has a number for each step"},
         {"bias_behind_the_tanh", bias_behind_the_tanh, "before the tanh"},
         {"summed_over_features", summed_over_features, "the sum runs over"},
         {"averaged", averaged, "weights that sum to 1"},
         {"last_step_skipped", last_step_skipped, "every step is treated alike"}});

} // namespace attn::attention_versus_dense::your_turn::attention_layer_attempts
