/// \file
/// \brief PyTorch's side of the comparison of attention alone. Without PyTorch's headers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::bench::torch_peer {

/// One way in which PyTorch computes attention.
struct WayOfAttention
{
    std::string name;                   ///< as the table prints it
    std::function<void()> forward;      ///< without a tape
    std::function<void()> training;     ///< forwards, and backwards from a given gradient
    std::function<void(float*)> result; ///< writes the contexts [n_tokens, H, 64]
};

/// The ways that PyTorch offers, over heads of 64 numbers, each on copies of the same numbers in
/// the layout that it likes best: [heads, tokens, 64].
/// \param queries   [n_tokens, H, 64], copied, like the next three
/// \param gradient  of the contexts
/// \returns         its own function for attention; the same in three operations
std::vector<WayOfAttention> ways_of_attention(std::size_t n_heads, std::size_t n_tokens,
                                              bool causal, const float* queries,
                                              const float* keys, const float* values,
                                              const float* gradient);

} // namespace attn::bench::torch_peer
