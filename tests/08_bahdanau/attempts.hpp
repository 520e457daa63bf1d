/// \file
/// \brief Attempts at chapter 8's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::bahdanau::your_turn {

using testing::Mistake;

/// The tanh of the sum.
inline const Mistake w_inside("additive_scores: w_inside", "the tanh is taken of each number");
inline const Mistake softmax_too("additive_scores: softmax_too", "A softmax comes afterwards");

inline Vector additive_scores(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = xt::zeros<double>({keys.shape(0)});
    for (std::size_t j = 0; j < keys.shape(0); ++j) {
        for (std::size_t m = 0; m < query.size(); ++m) {
            const double hidden = query(m) + keys(j, m);
            scores(j) += w(m) * (w_inside ? hidden : std::tanh(hidden));
        }
        scores(j) = w_inside ? std::tanh(scores(j)) : scores(j);
    }
    if (softmax_too) {
        const Vector exponentials = xt::exp(scores);
        const double sum = xt::sum(exponentials)();
        scores = exponentials / sum;
    }
    return scores;
}

inline const Mistake padding_seen("context: padding_seen", "it must have no weight");
inline const Mistake overflows("context: overflows", "Subtract the largest score");

inline Vector context(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    const std::size_t n = padding_seen ? scores.size() : n_words;
    const double largest =
        overflows ? 0
                  : *std::max_element(scores.begin(), scores.begin() + static_cast<long>(n));
    Vector mean = xt::zeros<double>({annotations.shape(1)});
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const double exponential = std::exp(scores(j) - largest);
        sum += exponential;
        for (std::size_t m = 0; m < annotations.shape(1); ++m) {
            mean(m) += exponential * annotations(j, m);
        }
    }
    return Vector(mean / sum);
}

} // namespace attn::bahdanau::your_turn
