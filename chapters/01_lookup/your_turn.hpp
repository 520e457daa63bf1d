/// \file
/// \brief Your turn: write chapter 1's softmax and weighted sum yourself.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 01 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 1.
namespace attn::lookup::your_turn {

/// Weights that are never negative, sum to 1 in each row, and grow with the score.
/// \param scores       [n_queries, n_keys], finite; as large as 1e300
/// \param temperature  above 0: near 0 the highest score takes all, far above it all keys
///                     weigh the same
/// \returns            [n_queries, n_keys]
inline Matrix softmax([[maybe_unused]] const Matrix& scores,
                      [[maybe_unused]] double temperature)
{
    throw attn::your_turn::NotWrittenYet("chapters/01_lookup/your_turn.hpp: softmax");
}

/// Each query's weighted sum of the values.
/// \param weights  [n_queries, n_keys]
/// \param values   [n_keys, d_v]
/// \returns        [n_queries, d_v]
inline Matrix weighted_sum([[maybe_unused]] const Matrix& weights,
                           [[maybe_unused]] const Matrix& values)
{
    throw attn::your_turn::NotWrittenYet("chapters/01_lookup/your_turn.hpp: weighted_sum");
}

} // namespace attn::lookup::your_turn
