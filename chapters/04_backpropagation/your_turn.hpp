/// \file
/// \brief Your turn: write chapter 4's backward pass of a softmax, and of attention to its
/// queries.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 04 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 4.
namespace attn::backpropagation::your_turn {

/// The backward pass of a softmax: the gradient of the scores from that of the weights, row by
/// row. A key whose weight is 0, since a mask hides it, receives exactly 0.
/// \param weights   [n_queries, n_keys], what the softmax returned; a row sums to 1, or to 0
///                  where nothing was visible
/// \param dweights  [n_queries, n_keys], d loss / d weights; anything, even nan, where a weight
///                  is 0
/// \returns         [n_queries, n_keys], d loss / d scores
inline Matrix softmax_backward([[maybe_unused]] const Matrix& weights,
                               [[maybe_unused]] const Matrix& dweights)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/04_backpropagation/your_turn.hpp: softmax_backward");
}

/// The backward pass of dot-product attention, softmax(Q K^T) V, from its contexts to its queries.
/// \param keys      [n_keys, d]
/// \param values    [n_keys, d_v]
/// \param weights   [n_queries, n_keys], what the softmax returned, each row summing to 1
/// \param dcontext  [n_queries, d_v], d loss / d context
/// \returns         [n_queries, d], d loss / d queries
inline Matrix query_backward([[maybe_unused]] const Matrix& keys,
                             [[maybe_unused]] const Matrix& values,
                             [[maybe_unused]] const Matrix& weights,
                             [[maybe_unused]] const Matrix& dcontext)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/04_backpropagation/your_turn.hpp: query_backward");
}

} // namespace attn::backpropagation::your_turn
