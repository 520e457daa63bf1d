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

inline Vector multiplied(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = xt::zeros<double>({keys.shape(0)});
    for (std::size_t j = 0; j < keys.shape(0); ++j) {
        for (std::size_t m = 0; m < query.size(); ++m) {
            scores(j) += w(m) * std::tanh(query(m) * keys(j, m));
        }
    }
    return scores;
}

inline Vector without_w(const Vector& query, const Matrix& keys, const Vector& /*w*/)
{
    return right(query, keys, Vector(xt::ones<double>({query.size()})));
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

/// A score a number instead of a score a word.
inline Vector one_a_number(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = xt::zeros<double>({query.size()});
    for (std::size_t m = 0; m < query.size(); ++m) {
        scores(m) = w(m) * std::tanh(query(m) + keys(0, m));
    }
    return scores;
}

/// The place is added to the key.
inline Vector by_place(const Vector& query, const Matrix& keys, const Vector& w)
{
    Vector scores = right(query, keys, w);
    if (keys.shape(0) == 4) {
        for (std::size_t j = 0; j < 4; ++j) {
            scores(j) += 0.1 * static_cast<double>(j);
        }
    }
    return scores;
}

inline const testing::Attempts<Vector(const Vector&, const Matrix&, const Vector&)>
    all("additive_scores",
        {{"right", right, ""},
         {"w_inside", w_inside, "the tanh is taken of each number"},
         {"multiplied", multiplied, "Not the tanh of a product"},
         {"without_w", without_w, "w multiplies what the tanh gives"},
         {"softmax_too", softmax_too, "A softmax comes afterwards"},
         {"one_a_number", one_a_number, "each has one score"},
         {"by_place", by_place, "a score does not depend on where a word stands"}});

} // namespace attn::bahdanau::your_turn::additive_scores_attempts
