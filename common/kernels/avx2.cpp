/// \file
/// \brief The kernels for AVX2 with fused multiplication and addition.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;

const attn::kernels::Kernels& attn::kernels::avx2_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("avx2", true);
    return kernels;
}
