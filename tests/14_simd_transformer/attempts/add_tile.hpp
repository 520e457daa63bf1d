/// \file
/// \brief Attempts at chapter 14's online softmax. The first is right; each other makes one
/// mistake.
#pragma once

#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn::simd_transformer::your_turn::add_tile_attempts {

/// Whether the largest score is subtracted, and whether what was added up before is shrunk when
/// it grows.
inline void meet(RowSoFar& row, const Vector& scores, const Matrix& values, bool shifted = true,
                 bool shrinks_context = true)
{
    double largest = row.largest;
    for (const double score : scores) {
        largest = std::max(largest, score);
    }
    if (largest == -std::numeric_limits<double>::infinity()) {
        return;
    }
    const double shrink = shifted ? std::exp(row.largest - largest) : 1;
    row.total *= shrink;
    for (double& number : row.context) {
        number *= shrinks_context ? shrink : 1;
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = std::exp(scores(j) - (shifted ? largest : 0));
        row.total += weight;
        for (std::size_t k = 0; k < row.context.size(); ++k) {
            row.context(k) += weight * values(j, k);
        }
    }
    row.largest = largest;
}

inline void right(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values);
}

inline void not_shifted(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, false);
}

inline void keeps_context(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, true, false);
}

inline const testing::Attempts<void(RowSoFar&, const Vector&, const Matrix&)>
    all("add_tile", {{"right", right, ""},
                     {"not_shifted", not_shifted, "subtract the largest"},
                     {"keeps_context", keeps_context, "the context was added up under"}});

} // namespace attn::simd_transformer::your_turn::add_tile_attempts
