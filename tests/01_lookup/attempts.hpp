/// \file
/// \brief Attempts at chapter 1's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::lookup::your_turn {

using testing::Mistake;

inline const Mistake sums_columns("softmax: sums_columns", "of its own row, not of a column");
inline const Mistake no_maximum("softmax: no_maximum", "exp(1000) is infinite");

inline Matrix softmax(const Matrix& scores, double temperature)
{
    Matrix largest = xt::amax(scores, {1}, xt::keep_dims);
    if (no_maximum) {
        largest.fill(0);
    }
    const Matrix exponentials = xt::exp((scores - largest) / temperature);
    const Matrix sums = xt::sum(exponentials, {sums_columns ? 0 : 1}, xt::keep_dims);
    return Matrix(exponentials / sums);
}

inline const Mistake scores_scaled("attend: scores_scaled", "neither scaled nor normalised");
inline const Mistake masked_values_added("attend: masked_values_added", "0 times nan is nan");

inline Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                        const Score& score, const Normaliser& normalise)
{
    Matrix scores = score(queries, keys);
    if (scores_scaled) {
        scores /= std::sqrt(static_cast<double>(keys.shape(1)));
    }
    const Matrix weights = normalise(scores);
    Matrix context = xt::zeros<double>({queries.shape(0), values.shape(1)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t column = 0; column < values.shape(1); ++column) {
                if (weights(i, j) != 0 || masked_values_added) {
                    context(i, column) += weights(i, j) * values(j, column);
                }
            }
        }
    }
    return {scores, weights, context};
}

} // namespace attn::lookup::your_turn
