/// \file
/// \brief Fused attention as a step of the tape, and as the layers of the transformer take it.
/// Called flash attention since \cite dao2022.
#pragma once

#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"

namespace attn::simd_transformer {

using autograd::Variable;

/// Fused attention as one step of the tape.
/// \param queries  Q [batch, n_queries, H d_k]
/// \param keys     K [batch, n_keys, H d_k]
/// \param values   V [batch, n_keys, H d_v], finite where masked
/// \param n_heads  H
/// \param mask  which keys a query attends to
/// \returns        C [batch, n_queries, H d_v]
/// \throws ContractError as multi_head::Attend
Variable<float> flash_attention(const Execution& how, const Variable<float>& queries,
                                const Variable<float>& keys, const Variable<float>& values,
                                std::size_t n_heads, const AttentionMask& mask);

/// The same, as the layers of chapters 11 and 12 take it. Where weights are asked for, chapter
/// 11's kernel in one step computes them.
multi_head::Attend<float> flash_kernel(const Execution& how);

} // namespace attn::simd_transformer
