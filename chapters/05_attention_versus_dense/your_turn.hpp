/// \file
/// \brief Your turn: write the attention layer of the question for one sequence.
///
/// Replace the body, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 05 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 5.
namespace attn::attention_versus_dense::your_turn {

/// The layer of the question: scores c = tanh(X W + b), weights beta by their softmax over time,
/// and the sum of the steps with these weights.
/// \param X  one sequence [n_steps, n_features]
/// \param W  [n_features]
/// \param b  [n_steps]
/// \returns  f [n_features], f_k = sum_t beta_t x_tk
inline Vector attention_layer([[maybe_unused]] const Matrix& X,
                              [[maybe_unused]] const Vector& W,
                              [[maybe_unused]] const Vector& b)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/05_attention_versus_dense/your_turn.hpp: attention_layer");
}

} // namespace attn::attention_versus_dense::your_turn
