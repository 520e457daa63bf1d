/// \file
/// \brief Ways to compute attention, from plain loops to the fused kernel on several threads, as
/// named objects: what the program, the benchmarks, the figures and the tests iterate over.
#pragma once

#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"

#include <string>
#include <vector>

namespace attn::simd_transformer {

/// One way to compute attention.
struct AttentionRung
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what it adds to the one before, in a line
    /// Contexts [batch, n_queries, H d_v] of queries [batch, n_queries, H d_k], keys [batch,
    /// n_keys, H d_k] and values [batch, n_keys, H d_v]; a query without keys gets 0. Only
    /// the last rung uses more than one thread.
    void (*attend)(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                   const float* queries, const float* keys, const float* values,
                   float* context);
    /// Whether all scores of a head exist at a time: then they go to memory and back if no cache
    /// holds them, whatever the sentence's length.
    bool keeps_all_scores;
};

/// All of them, each a step up from the one before; the first adds up in double and is what
/// the others are compared with.
const std::vector<AttentionRung>& attention_ladder();

/// Multiplications and additions of attention, counted as two operations each, and nothing
/// else: \f$ 2 H n_q n_k (d_k + d_v) \f$ a sentence forwards, half of it if causal; the
/// backward pass has two and a half times as many.
double attention_operations(const AttentionSizes& sizes, bool causal);

} // namespace attn::simd_transformer
