/// \file
/// \brief What PyTorch's models of the benchmarks are made with: copies of our numbers,
/// parameters, one training step. For the files torch_*.cpp alone: it shows PyTorch's headers.
#pragma once

#include "tests/bench/torch_peers.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <torch/torch.h>
#include <utility>
#include <vector>

namespace attn::bench::torch_peer {

using torch::Tensor;
using Named = std::vector<std::pair<std::string, Tensor>>; ///< parameters by their names

/// A number as PyTorch counts.
constexpr std::int64_t signed_size(std::size_t n)
{
    return static_cast<std::int64_t>(n);
}

/// PyTorch's own copy of floats.
Tensor copied(const float* values, at::IntArrayRef shape);

/// PyTorch's own copy of n class numbers.
Tensor copied(const std::int64_t* values, std::size_t n);

/// Words [batch, n] as PyTorch's models here read them: [n, batch].
Tensor words_by_step(const std::int64_t* words, std::size_t batch, std::size_t n);

/// A parameter, uniform in ±1/sqrt(fan), as PyTorch's recurrent layers begin.
Tensor uniform(at::IntArrayRef shape, std::size_t fan);

/// Whether there is an operator for attention in one pass over four axes.
#if TORCH_VERSION_MAJOR >= 2
#define ATTN_TORCH_FUSED_ATTENTION
#endif

/// A step of a gated recurrent unit with as few operators as it can be written in: reset and
/// update gate are one, results go where nobody needs the factors any more.
/// \param gates   [batch, 3 hidden], what the input adds to reset gate, update gate, candidate
/// \param state   [batch, hidden]
/// \param weight  [3 hidden, hidden]
/// \param bias    [3 hidden]
/// \returns       [batch, hidden]
Tensor step_of_gru(const Tensor& gates, const Tensor& state, const Tensor& weight,
                   const Tensor& bias);

/// The states of such a unit, step after step. On the sizes of these benchmarks it takes less
/// time than `torch::nn::GRU`; training_steps.cpp measures both.
/// \param gates     [n_steps, batch, 3 hidden]
/// \param state     [batch, hidden], before the first step
/// \param weight    [3 hidden, hidden]
/// \param bias      [3 hidden]
/// \param backward  whether the last step comes first
/// \returns         n_steps states [batch, hidden], in the order of the gates
std::vector<Tensor> gru_states(const Tensor& gates, const Tensor& state, const Tensor& weight,
                               const Tensor& bias, bool backward = false);

/// Our copies of parameters, in the same order.
std::vector<InitialValues> exported(const Named& parameters);

/// The training step that all models share: forward, backward, Adam, gradients forgotten.
std::function<void()> training_step(const Named& parameters, std::function<Tensor()> loss_of,
                                    const Report& report);

} // namespace attn::bench::torch_peer
