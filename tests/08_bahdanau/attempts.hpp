/// \file
/// \brief Attempts at chapter 8's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::bahdanau::your_turn {

using testing::Mistake;

/// The tanh of the sum.
inline const Mistake w_inside("additive_scores: w_inside", "the tanh is taken of each number");
inline const Mistake softmax_too("additive_scores: softmax_too", "A softmax comes afterwards");

inline Vector additive_scores(const Vector& query, const Matrix& keys, const Vector& w)
{
    const Matrix sums = keys + query;
    Matrix scores = lookup::dot_product(as_row(w), w_inside ? sums : Matrix(xt::tanh(sums)));
    if (w_inside) {
        scores = Matrix(xt::tanh(scores));
    }
    return xt::row(softmax_too ? lookup::softmax(scores) : scores, 0);
}

inline const Mistake padding_seen("context: padding_seen", "it must have no weight");
inline const Mistake overflows("context: overflows", "Subtract the largest score");

inline Vector context(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    const std::size_t n = padding_seen ? scores.size() : n_words;
    const Matrix of_words = as_row(xt::view(scores, xt::range(std::size_t{0}, n)));
    const Matrix exponentials = xt::exp(of_words);
    const double sum = xt::sum(exponentials)();
    const Matrix weights = overflows ? Matrix(exponentials / sum) : lookup::softmax(of_words);
    return xt::row(
        lookup::weighted_sum(weights, xt::view(annotations, xt::range(std::size_t{0}, n))), 0);
}

} // namespace attn::bahdanau::your_turn
