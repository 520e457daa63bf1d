/// \file
/// \brief All kernel bodies of this chapter, and the table of them for one type of vector: what the
/// file of an instruction set includes. They are written in the words of common/kernels.
#include "chapters/14_simd_transformer/kernels/ladder_kernels.hpp"

#include "common/kernels/all.inl"

#include "chapters/14_simd_transformer/kernels/exp2.inl"

#include "chapters/14_simd_transformer/kernels/attention.inl"
#include "chapters/14_simd_transformer/kernels/attention_backward.inl"
#include "chapters/14_simd_transformer/kernels/machine.inl"
#include "chapters/14_simd_transformer/kernels/plain_products.inl"
#include "chapters/14_simd_transformer/kernels/softmax.inl"

namespace {

template <class V>
constexpr attn::simd_transformer::LadderKernels ladder_kernels_of()
{
    return {.lanes = Lanes<V>::size,
            .machine = {.multiply_add = multiply_add<V>, .copy = copy<V>, .stream = stream<V>},
            .products = plain_products<V>(),
            .softmax = softmax_kernels<V>(),
            .attention = attention_kernels<V>()};
}

} // namespace
