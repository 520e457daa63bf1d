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

/// What may go wrong.
struct Choices
{
    bool guarded = true;         ///< nothing is computed while every score is -inf
    bool shifted = true;         ///< the largest score is subtracted
    bool largest_of_all = true;  ///< of all tiles so far, not of this one
    bool shrinks_context = true; ///< what was added up before is multiplied by exp(m - m')
    bool shrinks_total = true;   ///< the same of the total
    bool upside_down = false;    ///< exp(m' - m) instead
    bool remembers = true;       ///< the largest score is kept for the next tile
    bool divides = false;        ///< the context is divided by the total at once
};

inline void meet(RowSoFar& row, const Vector& scores, const Matrix& values,
                 const Choices& choices)
{
    constexpr double none = -std::numeric_limits<double>::infinity();
    double largest = choices.largest_of_all ? row.largest : none;
    for (const double score : scores) {
        largest = std::max(largest, score);
    }
    if (choices.guarded && largest == none) {
        return;
    }
    const double shift = choices.shifted ? largest : 0;
    double shrink = std::exp(row.largest - largest);
    shrink = choices.upside_down && row.total > 0 ? 1 / shrink : shrink;
    shrink = choices.shifted ? shrink : 1;
    row.total *= choices.shrinks_total ? shrink : 1;
    for (double& number : row.context) {
        number *= choices.shrinks_context ? shrink : 1;
    }
    for (std::size_t j = 0; j < scores.size(); ++j) {
        const double weight = std::exp(scores(j) - shift);
        row.total += weight;
        for (std::size_t k = 0; k < row.context.size(); ++k) {
            row.context(k) += weight * values(j, k);
        }
    }
    row.largest = choices.remembers ? largest : row.largest;
    for (double& number : row.context) {
        number /= choices.divides ? row.total : 1;
    }
}

inline void right(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {});
}

inline void not_shifted(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.shifted = false});
}

inline void largest_of_tile(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.largest_of_all = false});
}

inline void keeps_context(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.shrinks_context = false});
}

inline void keeps_total(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.shrinks_total = false});
}

inline void upside_down(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.upside_down = true});
}

inline void forgets(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.remembers = false});
}

inline void divides(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.divides = true});
}

inline void unguarded(RowSoFar& row, const Vector& scores, const Matrix& values)
{
    meet(row, scores, values, {.guarded = false});
}

inline const testing::Attempts<void(RowSoFar&, const Vector&, const Matrix&)>
    all("add_tile", {{"right", right, ""},
                     {"not_shifted", not_shifted, "subtract the largest"},
                     {"largest_of_tile", largest_of_tile, "of all tiles so far"},
                     {"keeps_context", keeps_context, "the context was added up under"},
                     {"keeps_total", keeps_total, "the total was added up under"},
                     {"upside_down", upside_down, "never larger than 1"},
                     {"forgets", forgets, "remember the largest score"},
                     {"divides", divides, "divided once, at the end"},
                     {"unguarded", unguarded, "-inf - (-inf)"}});

} // namespace attn::simd_transformer::your_turn::add_tile_attempts
