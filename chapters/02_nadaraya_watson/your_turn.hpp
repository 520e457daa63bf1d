/// \file
/// \brief Your turn: write chapter 2's kernel and its weights yourself.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 02 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 2.
namespace attn::nadaraya_watson::your_turn {

/// Epanechnikov's kernel: a parabola upside down, cut off where it meets zero, and scaled so
/// that the area under it is 1.
/// \param u  a distance in bandwidths, of either sign
/// \returns  K(u)
inline double epanechnikov([[maybe_unused]] double u)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/02_nadaraya_watson/your_turn.hpp: epanechnikov");
}

/// Each key's share of the kernel's values, with Epanechnikov's kernel: the weights of
/// Nadaraya and Watson. A query with no key in its window weighs every key 0.
/// \param queries    [n_queries]
/// \param keys       [n_keys]
/// \param bandwidth  the bandwidth, above 0
/// \returns          [n_queries, n_keys]
inline Matrix weights([[maybe_unused]] const Vector& queries,
                      [[maybe_unused]] const Vector& keys, [[maybe_unused]] double bandwidth)
{
    throw attn::your_turn::NotWrittenYet("chapters/02_nadaraya_watson/your_turn.hpp: weights");
}

} // namespace attn::nadaraya_watson::your_turn
