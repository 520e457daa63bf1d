/// \file
/// \brief What plain and fused attention take for sentences of several lengths, time and memory
/// by the pool's counter; and how the last rungs of the ladders go with the instruction set and
/// with threads. Plain attention is chapter 11's by operators: what a reader would write
/// without this chapter.
#pragma once

#include "chapters/14_simd_transformer/experiments/ladders.hpp"

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
/// \param how      kernels and threads of the fused attention
/// \param lengths  tokens, each at least 1; plain attention is left out where its scores would
///                 take more than 256 MiB
std::vector<AttentionTime> attention_times(const Execution& how, const HeadCount& heads,
                                           const std::vector<std::size_t>& lengths,
                                           Repetitions repetitions);

void show_attention_memory(program::Frame& frame); ///< plain and fused, counted

/// Prints and keeps what attention takes for sentences of several lengths, measured.
void show_attention_lengths(program::Frame& frame, const Settings& settings);

void show_instruction_sets(program::Frame& frame, const Settings& settings); ///< on one thread
void show_threads(program::Frame& frame, const Settings& settings); ///< by their number

} // namespace attn::simd_transformer
