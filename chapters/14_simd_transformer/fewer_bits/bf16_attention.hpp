/// \file
/// \brief Attention in one pass over queries, keys and values of 16 bits: both products are those
/// of bf16_product.hpp, the softmax between them is in single precision. Forwards only.
#pragma once

#include "chapters/14_simd_transformer/fewer_bits/bf16_product.hpp"
#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"

namespace attn::simd_transformer {

/// Queries, keys and values of an attention.
struct Bf16Inputs
{
    const BFloat16* queries; ///< [batch, n_queries, H d_k]
    const BFloat16* keys;    ///< [batch, n_keys, H d_k]
    const BFloat16* values;  ///< [batch, n_keys, H d_v]
};

/// The definition of attend_bf16, a query after the other.
void attend_bf16_by_definition(const AttentionSizes& sizes, const AttentionMask& mask,
                               const Bf16Inputs& inputs, float* context);

/// Scaled dot-product attention, a block of 64 keys after the other (\cite dao2023): scores are a
/// product in 16 bits, exponentials and their sum floats, weights are rounded to 16 bits and then
/// multiplied with the values in 16 bits. What a block added under a smaller largest score is shrunk. A
/// weight below 2^-60 of the largest is 0.
/// \param how      kernels and threads: the bits depend on neither, as long as kernels are fused
/// \param mask     which keys a query attends to; without any its context is 0
/// \param context  [batch, n_queries, H d_v], receives the contexts
/// \throws ContractError as multi_head::expect_fitting
void attend_bf16(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                 const Bf16Inputs& inputs, float* context);

} // namespace attn::simd_transformer
