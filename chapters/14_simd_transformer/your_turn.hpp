/// \file
/// \brief Your turn: write the step that makes attention need no table of weights.
///
/// Replace the body, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 14 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until the
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "chapters/14_simd_transformer/online_softmax.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 14.
namespace attn::simd_transformer::your_turn {

/// A query meets a tile of keys, and remembers of it three things only: the largest score so
/// far, the sum of exp(score - largest), and the sum of exp(score - largest) times the value. A
/// query that has met no key has largest = -inf, total = 0 and a context of zeros. When all
/// tiles have been met, context / total is what softmax over all keys would give.
/// \param row     what is remembered, to be replaced
/// \param scores  [n_keys] of the tile; -inf where a key is masked, which may be all of them
/// \param values  [n_keys, d_v] of the tile
inline void add_tile([[maybe_unused]] OnlineSoftmaxState& row,
                     [[maybe_unused]] const Vector& scores,
                     [[maybe_unused]] const Matrix& values)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/14_simd_transformer/your_turn.hpp: add_tile");
}

} // namespace attn::simd_transformer::your_turn
