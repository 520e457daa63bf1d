/// \file
/// \brief The table of this chapter's kernels, compiled once for each instruction set. They are
/// written in the words of common/kernels.
#include "chapters/14_simd_transformer/kernels.hpp"

#include "common/kernels/all.inl"

#include "chapters/14_simd_transformer/machine.inl"

#include "chapters/14_simd_transformer/matrix_product/plain_products.inl"
#include "chapters/14_simd_transformer/softmax.inl"

#include "chapters/14_simd_transformer/fused_attention/forward.inl"

#include "chapters/14_simd_transformer/fused_attention/backward.inl"

#include "chapters/14_simd_transformer/decoding/panels.inl"

#include "chapters/14_simd_transformer/fewer_bits/product.inl"

#include "chapters/14_simd_transformer/fewer_bits/attention.inl"

namespace attn::simd_transformer {

template <kernels::InstructionSet set>
const LadderKernels& ladder_kernels_for()
{
    using V = VectorOf<float>;
    static constinit const LadderKernels kernels = {
        .lanes = Lanes<V>::size,
        .machine = {.multiply_add = multiply_add<V>, .copy = copy<V>, .stream = stream<V>},
        .products = plain_products<V>(),
        .softmax = softmax_kernels<V>(),
        .attention = attention_kernels<V>(),
        .panels = panel_kernels<V>(),
        .bf16 = bf16_kernels<V>()};
    return kernels;
}

template const LadderKernels& ladder_kernels_for<this_set>();

} // namespace attn::simd_transformer
