/// \file
/// \brief Attempts at chapter 1's `attend`. The first is right; each other makes one mistake.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::lookup::your_turn::attend_attempts {

inline Matrix sum_of_values(const Matrix& weights, const Matrix& values)
{
    Matrix context = xt::zeros<double>({weights.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                if (weights(i, j) != 0) {
                    context(i, column) += weights(i, j) * values(j, column);
                }
            }
        }
    }
    return context;
}

inline Attention right(const Matrix& queries, const Matrix& keys, const Matrix& values,
                       const Score& score, const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys);
    const Matrix weights = normalise(scores);
    return {scores, weights, sum_of_values(weights, values)};
}

/// The transformer's habit, whatever the score.
inline Attention scores_scaled(const Matrix& queries, const Matrix& keys, const Matrix& values,
                               const Score& score, const Normaliser& normalise)
{
    const Matrix scores = score(queries, keys) / std::sqrt(static_cast<double>(keys.shape(1)));
    const Matrix weights = normalise(scores);
    return {scores, weights, sum_of_values(weights, values)};
}

/// Adds 0 times whatever a masked key holds.
inline Attention masked_values_added(const Matrix& queries, const Matrix& keys,
                                     const Matrix& values, const Score& score,
                                     const Normaliser& normalise)
{
    Attention attention = right(queries, keys, values, score, normalise);
    attention.context = xt::zeros<double>({queries.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                attention.context(i, column) += attention.weights(i, j) * values(j, column);
            }
        }
    }
    return attention;
}

inline const testing::Attempts<Attention(const Matrix&, const Matrix&, const Matrix&,
                                         const Score&, const Normaliser&)>
    all("attend", {{"right", right, ""},
                   {"scores_scaled", scores_scaled, "neither scaled nor normalised"},
                   {"masked_values_added", masked_values_added, "0 times nan is nan"}});

} // namespace attn::lookup::your_turn::attend_attempts
