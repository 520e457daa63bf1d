/// \file
/// \brief PyTorch's side of the comparison of attention alone. Deliberately apart from whole
/// training steps, and without PyTorch's headers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::bench::torch_peer {

/// One way in which PyTorch computes attention.
struct AttentionForm
{
    std::string name;               ///< as the table prints it
    std::function<void()> forward;  ///< without a tape
    std::function<void()> training; ///< forwards and backwards
};

/// The forms that PyTorch offers, over heads of 64 numbers, each on copies of the same numbers
/// in the layout that it likes best: [heads, tokens, 64].
/// \param n_heads   H
/// \param n_tokens  queries, keys and values each
/// \param causal    whether later keys are masked
/// \param x         [n_tokens, H, 64], copied: queries, keys and values alike
/// \returns         its own function for attention; the same in three operations
std::vector<AttentionForm> attention_forms(std::size_t n_heads, std::size_t n_tokens,
                                           bool causal, const float* x);

} // namespace attn::bench::torch_peer
