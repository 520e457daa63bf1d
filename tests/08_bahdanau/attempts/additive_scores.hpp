/// \file
/// \brief Attempts at chapter 8's additive scores. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::bahdanau::your_turn::additive_scores_attempts {

inline Vector right(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = xt::zeros<double>({keys.shape(0)});
    for (std::size_t j = 0; j < keys.shape(0); ++j) {
        for (std::size_t m = 0; m < query.size(); ++m) {
            scores(j) += w(m) * std::tanh(query(m) + keys(j, m));
        }
    }
    return scores;
}

/// The tanh of the sum.
inline Vector w_inside(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = xt::zeros<double>({keys.shape(0)});
    for (std::size_t j = 0; j < keys.shape(0); ++j) {
        double sum = 0;
        for (std::size_t m = 0; m < query.size(); ++m) {
            sum += w(m) * (query(m) + keys(j, m));
        }
        scores(j) = std::tanh(sum);
    }
    return scores;
}

inline Vector softmax_too(const Vector& query, const Matrix& keys, const Vector& w)
{
    const Vector scores = right(query, keys, w);
    const Vector powers = xt::exp(scores);
    double all = 0;
    for (const double power : powers) {
        all += power;
    }
    return Vector(powers / all);
}

inline const testing::Attempts<Vector(const Vector&, const Matrix&, const Vector&)>
    all("additive_scores", {{"right", right, ""},
                            {"w_inside", w_inside, "the tanh is taken of each number"},
                            {"softmax_too", softmax_too, "A softmax comes afterwards"}});

} // namespace attn::bahdanau::your_turn::additive_scores_attempts
