/// \file
/// \brief Our side of the benchmarks: the same whole training steps, written with the layers
/// and operators that chapters use, and with nothing that a chapter would not write.
///
/// Each function copies its data and returns one training step: forward, backward, Adam. A
/// model starts from the peer's values, under the peer's names, or from random ones if there
/// are none; every step writes its loss where it is told to, unless that is null.
#pragma once

#include "tests/bench/sizes.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace attn::bench::ours {

// The models are those of torch_peers.hpp.

std::function<void()> gru_step(const float* x, const float* y,
                               const std::vector<InitialValues>& initial, float* loss);

std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const std::vector<InitialValues>& initial,
                                         float* loss);

std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const std::vector<InitialValues>& initial, float* loss);

/// Chapter 7's translator with its last state, or with chapter 8's additive scores.
std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers,
                                      const std::vector<InitialValues>& initial, float* loss);

/// Chapter 12's transformer, one pre-norm layer on either side.
std::function<void()> transformer_step(const TransformerSizes& sizes,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers,
                                       const std::vector<InitialValues>& initial, float* loss);

/// a + b of two [1, 1] parameters, and back: what the tape itself costs.
/// \param inputs  [2]: a and b, copied
/// \returns       one forward and one backward pass
std::function<void()> add_step(const float* inputs, float* loss);

} // namespace attn::bench::ours
