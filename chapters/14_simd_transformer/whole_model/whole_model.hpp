/// \file
/// \brief What chapter 12's transformer is computed with: fused attention as a step of the
/// tape, and the whole model as a ladder, each rung a choice.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <string>
#include <vector>

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

/// One way to compute the whole model.
struct ModelVariant
{
    std::string name;    ///< as tables print it
    std::string idea;    ///< what is new beside the variant before, in one line
    bool plain_products; ///< whether products are plain loops
    bool fused_rows;     ///< whether what touches the same rows is one walk over them
    bool one_pass;       ///< whether attention keeps no weights; it rounds otherwise
    bool threaded;       ///< whether it uses more than one thread
};

/// The ways, each a step up from the one before. All but those whose attention is in one pass
/// give the same bits.
const std::vector<ModelVariant>& model_variants();

/// What the transformer of a variant is given: its attention, and whether its rows are fused.
transformer::Computation<float> computation_of(const ModelVariant& variant,
                                               const kernels::Execution& how);

} // namespace attn::simd_transformer
