/// \file
/// \brief Attempts at chapter 5's layer: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

namespace attn::attention_versus_dense::your_turn {

using testing::Mistake;

inline const Mistake tanh_forgotten("attention_layer: tanh_forgotten",
                                    "did you forget the tanh");
inline const Mistake not_normalised("attention_layer: not_normalised", "divide the");

inline Vector attention_layer(const Matrix& X, const Vector& W, const Vector& b)
{
    const Matrix sums = lookup::dot_product(as_row(W), X) + as_row(b); // [1, n_steps]
    const Matrix scores = tanh_forgotten ? sums : Matrix(xt::tanh(sums));
    const Matrix weights = not_normalised ? Matrix(xt::exp(scores)) : lookup::softmax(scores);
    return xt::row(lookup::weighted_sum(weights, X), 0);
}

} // namespace attn::attention_versus_dense::your_turn
