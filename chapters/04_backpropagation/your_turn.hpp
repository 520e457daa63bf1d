/// \file
/// \brief Your turn: write chapter 4's backward pass of a softmax, and of attention to its
/// queries; then an operator of the tape, whose gradient is checked by differences.
///
/// Replace the bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 04 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/autograd/rule.hpp"
#include "common/autograd/tape.hpp"
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

/// An operator of the tape: the logarithm of the sum of the exponentials of each row. What it
/// returns is written down by `autograd::record(value, scores.needs_gradient(), rule)`, where
/// rule(value, gradient) passes the gradient on by `autograd::add_to_gradient(scores, f)`, f(i)
/// being what entry i of the scores receives, row by row.
/// \param scores  [n_queries, n_keys], of any size: no exponential may overflow
/// \returns       [n_queries]
inline autograd::Variable<double>
log_sum_exp([[maybe_unused]] const autograd::Variable<double>& scores)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/04_backpropagation/your_turn.hpp: log_sum_exp");
}

} // namespace attn::backpropagation::your_turn
