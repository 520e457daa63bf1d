/// \file
/// \brief Your turn: write chapter 1's softmax and its `attend` yourself.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 01 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
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

/// Attention: score every key against every query, normalise, and sum the values with
/// those weights.
/// \param queries    [n_queries, d_q]
/// \param keys       [n_keys, d_k], n_keys >= 1
/// \param values     [n_keys, d_v]; that of a key without weight may be anything, even nan
/// \param score      call it with queries and keys: how well each key answers each query
/// \param normalise  call it with the scores: what becomes of each query's row of them
/// \returns          scores and weights [n_queries, n_keys], context [n_queries, d_v]
inline Attention attend([[maybe_unused]] const Matrix& queries,
                        [[maybe_unused]] const Matrix& keys,
                        [[maybe_unused]] const Matrix& values,
                        [[maybe_unused]] const Score& score,
                        [[maybe_unused]] const Normaliser& normalise)
{
    throw attn::your_turn::NotWrittenYet("chapters/01_lookup/your_turn.hpp: attend");
}

} // namespace attn::lookup::your_turn
