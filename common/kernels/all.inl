/// \file
/// \brief All kernel bodies, and the table of them for one type of vector: what the file of an
/// instruction set includes. Of standard headers the bodies name only those without code; xsimd
/// brings others with it, of which the bodies call nothing, see kernels.hpp.
#include "common/kernels/kernels.hpp"

#include "common/kernels/vector.inl"

#include "common/kernels/along_row.inl"
#include "common/kernels/elementary.inl"
#include "common/kernels/tile.inl"
#include "common/kernels/transpose.inl"

#include "common/kernels/product.inl"
#include "common/kernels/reductions.inl"
#include "common/kernels/rows.inl"

#include "common/kernels/decoding.inl"

namespace {

template <class V>
constexpr attn::kernels::NumberKernels<NumberOf<V>> number_kernels()
{
    return {.elementary = elementary_kernels<V>(),
            .reductions = reduction_kernels<V>(),
            .products = product_kernels<V>(),
            .rows = row_kernels<V>(),
            .decoding = decoding_kernels<V>()};
}

template <template <class> class VectorOf>
constexpr attn::kernels::Kernels kernels_of(const char* name, bool fused)
{
    return {.name = name,
            .lanes = Lanes<VectorOf<float>>::size,
            .fused = fused,
            .of_float = number_kernels<VectorOf<float>>(),
            .of_double = number_kernels<VectorOf<double>>()};
}

} // namespace
