/// \file
/// \brief Fused attention: the scores of a block of queries and a block of keys are made
/// weights, used and forgotten, so that no array of tokens times tokens exists; the backward
/// pass computes them again. Called flash attention since \cite dao2022.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <cstddef>

namespace attn::simd_transformer {

using multi_head::AttentionMask;

/// How large everything is in an attention of several heads and sentences.
struct AttentionSizes
{
    std::size_t batch = 1; ///< sentences
    std::size_t n_heads;   ///< H
    std::size_t n_queries; ///< in a sentence
    std::size_t n_keys;    ///< in a sentence
    std::size_t d_k;       ///< numbers of a query in one head
    std::size_t d_v;       ///< numbers of a value in one head
};

/// What the backward pass needs beside queries, keys, values and contexts: one number a query.
struct SavedStatistics
{
    Array<float> log_total; ///< [batch, H, n_queries], the base-2 logarithm of what the query's
                            ///< weights add up to before they are divided by it
};

/// The contexts of scaled dot-product attention, \f$ C = \softmax(Q K^\top / \sqrt{d_k}) V \f$
/// in each head, by the kernels of `how` (\cite dao2022, algorithm 1; the order of its loops is
/// that of \cite dao2023). Beside its arguments it takes memory for a copy of keys and values,
/// and for one block a thread.
/// \param how      kernels and threads; the bits do not depend on the threads
/// \param mask  which keys a query attends to; without any its context is 0
/// \param queries  [batch, n_queries, H d_k]
/// \param keys     [batch, n_keys, H d_k]
/// \param values   [batch, n_keys, H d_v], finite where masked
/// \param context  [batch, n_queries, H d_v], receives C
/// \throws ContractError as multi_head::expect_fitting
SavedStatistics attend_fused(const Execution& how, const AttentionSizes& sizes,
                             const AttentionMask& mask, const float* queries, const float* keys,
                             const float* values, float* context);

/// Where the gradients of attention go: each may be null, and be written or added to.
struct AttentionGradients
{
    float* queries = nullptr; ///< [batch, n_queries, H d_k]
    float* keys = nullptr;    ///< [batch, n_keys, H d_k]
    float* values = nullptr;  ///< [batch, n_keys, H d_v]
    bool add_queries = false; ///< whether to add to what is there
    bool add_keys = false;    ///< the same of the keys
    bool add_values = false;  ///< the same of the values
};

/// The backward pass of attend_fused (\cite dao2022, algorithm 4), from what that was given and
/// made.
/// \param context_gradient  [batch, n_queries, H d_v]
/// \param gradients         receive; those of keys that no query attends to are 0
void attend_fused_backward(const Execution& how, const AttentionSizes& sizes,
                           const AttentionMask& mask, const float* queries, const float* keys,
                           const float* values, const float* context,
                           const SavedStatistics& saved, const float* context_gradient,
                           const AttentionGradients& gradients);

} // namespace attn::simd_transformer
