/// \file
/// \brief What plain and fused attention take for sentences of several lengths: time, and
/// memory by the pool's counter. Plain is chapter 11's by operators: what a reader would write
/// without this chapter.
#pragma once

#include "chapters/14_simd_transformer/experiments/machine.hpp"

#include <cstddef>
#include <vector>

namespace attn::simd_transformer {

/// The heads of an attention whose cost is asked for.
struct HeadCount
{
    std::size_t n_heads = 8; ///< H
    std::size_t d_head = 64; ///< d, numbers of a query, key and value in one head
};

/// Bytes that attention takes beside queries, keys and values.
struct AttentionMemory
{
    std::size_t n_tokens; ///< queries, and keys
    std::size_t plain;    ///< bytes
    std::size_t fused;    ///< bytes
};

/// Counts memory, forwards, on one thread.
/// \param kernels  of the fused attention: the wider, the more queries make a block
/// \param lengths  tokens, each at least 1
std::vector<AttentionMemory> attention_memory(const kernels::Kernels& kernels,
                                              const HeadCount& heads,
                                              const std::vector<std::size_t>& lengths);

/// Seconds that attention takes; 0 where it was not measured.
struct AttentionTime
{
    std::size_t n_tokens; ///< queries, and keys
    double plain;         ///< forwards, chapter 11's operators, on one thread
    double fused;         ///< forwards
    double causal;        ///< forwards, with a causal mask
    double backward;      ///< the backward pass, without a mask
    double peak;          ///< GFLOP/s of the machine, measured beside it
};

/// Measures time.
/// \param how       kernels and threads of the fused attention
/// \param lengths   tokens, each at least 1; where plain attention's scores would take more than
///                  256 MiB it is left out
/// \param patience  of each measurement
std::vector<AttentionTime> attention_times(const Execution& how, const HeadCount& heads,
                                           const std::vector<std::size_t>& lengths,
                                           Patience patience);

} // namespace attn::simd_transformer
