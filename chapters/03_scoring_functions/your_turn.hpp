/// \file
/// \brief Your turn: write chapter 3's two scores and its masked softmax yourself.
///
/// Replace the three bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 03 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 3.
namespace attn::scoring_functions::your_turn {

/// The dot product over the root of its number of terms, \f$ q_i \cdot k_j / \sqrt d \f$.
/// \param queries  [n_queries, d]
/// \param keys     [n_keys, d]
/// \returns        [n_queries, n_keys]
inline Matrix scaled_dot_product([[maybe_unused]] const Matrix& queries,
                                 [[maybe_unused]] const Matrix& keys)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/03_scoring_functions/your_turn.hpp: scaled_dot_product");
}

/// The additive score, \f$ w \cdot \tanh(W_q q_i + W_k k_j + b) \f$.
/// \param queries  [n_queries, d_q]
/// \param keys     [n_keys, d_k]; d_k need not be d_q
/// \param W_q      [d_hidden, d_q]
/// \param W_k      [d_hidden, d_k]
/// \param b        [d_hidden]
/// \param w        [d_hidden]
/// \returns        [n_queries, n_keys]
inline Matrix additive([[maybe_unused]] const Matrix& queries,
                       [[maybe_unused]] const Matrix& keys, [[maybe_unused]] const Matrix& W_q,
                       [[maybe_unused]] const Matrix& W_k, [[maybe_unused]] const Vector& b,
                       [[maybe_unused]] const Vector& w)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/03_scoring_functions/your_turn.hpp: additive");
}

/// The softmax of each row over its visible keys alone. A hidden key weighs exactly 0,
/// whatever its score; a row in which nothing is visible is all zeros, any other sums to 1.
/// \param scores  [n_queries, n_keys]; finite where visible, as large as 1e300; anything,
///                even nan, where hidden
/// \param mask    [n_queries, n_keys]; true is visible
/// \returns       [n_queries, n_keys]
inline Matrix masked_softmax([[maybe_unused]] const Matrix& scores,
                             [[maybe_unused]] const xt::xtensor<bool, 2>& mask)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/03_scoring_functions/your_turn.hpp: masked_softmax");
}

} // namespace attn::scoring_functions::your_turn
