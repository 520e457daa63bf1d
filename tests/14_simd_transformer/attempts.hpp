/// \file
/// \brief Attempts at chapter 14's function: right, but for the mistake that a run makes.
#pragma once

#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::simd_transformer::your_turn {

using testing::Mistake;

inline const Mistake not_shifted("add_tile: not_shifted", "subtract the largest");
inline const Mistake keeps_context("add_tile: keeps_context", "the context was added up under");

inline void add_tile(OnlineSoftmaxState& row, const Vector& scores, const Matrix& values)
{
    double largest = row.largest;
    for (const double score : scores) {
        largest = std::max(largest, score);
    }
    if (largest == -std::numeric_limits<double>::infinity()) {
        return;
    }
    const double shrink = not_shifted ? 1 : std::exp(row.largest - largest);
    row.total *= shrink;
    if (!keeps_context) {
        row.context *= shrink;
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = std::exp(scores(j) - (not_shifted ? 0 : largest));
        row.total += weight;
        for (std::size_t k = 0; k < row.context.size(); ++k) {
            row.context(k) += weight * values(j, k);
        }
    }
    row.largest = largest;
}

} // namespace attn::simd_transformer::your_turn
