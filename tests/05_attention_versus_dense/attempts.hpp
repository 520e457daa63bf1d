/// \file
/// \brief Attempts at chapter 5's layer: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::attention_versus_dense::your_turn {

using testing::Mistake;

inline const Mistake tanh_forgotten("attention_layer: tanh_forgotten",
                                    "did you forget the tanh");
inline const Mistake not_normalised("attention_layer: not_normalised", "divide the");

inline Vector attention_layer(const Matrix& X, const Vector& W, const Vector& b)
{
    Vector exponentials = b;
    double sum = 0;
    for (std::size_t t = 0; t < X.shape(0); ++t) {
        double c = b(t);
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            c += X(t, k) * W(k);
        }
        exponentials(t) = std::exp(tanh_forgotten ? c : std::tanh(c));
        sum += exponentials(t);
    }
    Vector f = xt::zeros<double>({X.shape(1)});
    for (std::size_t t = 0; t < X.shape(0); ++t) {
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            f(k) += exponentials(t) / (not_normalised ? 1 : sum) * X(t, k);
        }
    }
    return f;
}

} // namespace attn::attention_versus_dense::your_turn
