/// \file
/// \brief Attempts at chapter 14's function: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::simd_transformer::your_turn {

using testing::Mistake;

inline const Mistake not_shifted("add_tile: not_shifted", "subtract the largest");
inline const Mistake keeps_context("add_tile: keeps_context", "the context was added up under");

inline void add_tile(OnlineSoftmaxState& row, const Vector& scores, const Matrix& values)
{
    if (not_shifted) {
        const Matrix weights = xt::exp(as_row(scores));
        row.total += xt::sum(weights)();
        row.context += xt::row(lookup::weighted_sum(weights, values), 0);
        return;
    }
    const OnlineSoftmaxState before = row;
    simd_transformer::add_tile(row, scores, values);
    if (keeps_context && before.total > 0) {
        row.context += (1 - std::exp(before.largest - row.largest)) * before.context;
    }
}

} // namespace attn::simd_transformer::your_turn
