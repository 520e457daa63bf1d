/// \file
/// \brief Your turn: write chapter 11's attention in several heads, and the rotation of a
/// query or key by its position.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 11 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>

/// What the reader writes in chapter 11.
namespace attn::multi_head::your_turn {

/// Causal self-attention between the projections, in several heads: head h has the columns
/// h d / H to (h + 1) d / H - 1 of each matrix. Its scores are q_i . k_j over the root of d /
/// H, query i sees the keys 0 to i, and its context is put where the head's columns are.
/// \param queries  Q [n, d]
/// \param keys     K [n, d]
/// \param values   V [n, d]
/// \param n_heads  H, divides d
/// \returns        C [n, d]
inline Matrix causal_heads([[maybe_unused]] const Matrix& queries,
                           [[maybe_unused]] const Matrix& keys,
                           [[maybe_unused]] const Matrix& values,
                           [[maybe_unused]] std::size_t n_heads)
{
    throw attn::your_turn::NotWrittenYet("chapters/11_multi_head/your_turn.hpp: causal_heads");
}

/// A query or key rotated by its position: the pair (x_0, x_1) by the angle of its position,
/// the pair (x_2, x_3) by a smaller one, and so on. Pair j rotates by 10000^(-2 j / d) radians
/// a position, from the first number of the pair towards the second: (1, 0) becomes (cos, sin).
/// \param x         [d], d even
/// \param position  counted from 0, or any number
/// \returns         [d]
inline Vector rotated([[maybe_unused]] const Vector& x, [[maybe_unused]] double position)
{
    throw attn::your_turn::NotWrittenYet("chapters/11_multi_head/your_turn.hpp: rotated");
}

} // namespace attn::multi_head::your_turn
