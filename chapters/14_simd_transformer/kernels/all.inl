/// \file
/// \brief All kernel bodies, and the table of them for one type of vector: what the file of an
/// instruction set includes. Of standard headers the bodies name only those without code; xsimd
/// brings others with it, of which the bodies call nothing, see kernels.hpp.
#include "chapters/14_simd_transformer/kernels/kernels.hpp"

#include "chapters/14_simd_transformer/kernels/vector.inl"

#include "chapters/14_simd_transformer/kernels/along_row.inl"
#include "chapters/14_simd_transformer/kernels/exp.inl"
#include "chapters/14_simd_transformer/kernels/tile.inl"
#include "chapters/14_simd_transformer/kernels/transpose.inl"

#include "chapters/14_simd_transformer/kernels/attention.inl"
#include "chapters/14_simd_transformer/kernels/attention_backward.inl"
#include "chapters/14_simd_transformer/kernels/decoding.inl"
#include "chapters/14_simd_transformer/kernels/machine.inl"
#include "chapters/14_simd_transformer/kernels/matrix_product.inl"
#include "chapters/14_simd_transformer/kernels/rows.inl"
#include "chapters/14_simd_transformer/kernels/softmax.inl"

namespace {

template <class V>
constexpr attn::simd_transformer::Kernels kernels_of(const char* name)
{
    return {.name = name,
            .lanes = Lanes<V>::size,
            .machine = {.multiply_add = multiply_add<V>, .copy = copy<V>, .stream = stream<V>},
            .matrix_product = matrix_product_kernels<V>(),
            .softmax = softmax_kernels<V>(),
            .attention = attention_kernels<V>(),
            .rows = row_kernels<V>(),
            .decoding = decoding_kernels<V>()};
}

} // namespace
