/// \file
/// \brief The kernels for AVX-512.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = xsimd::batch<T, xsimd::avx512bw>;

const attn::kernels::Kernels& attn::kernels::avx512_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("avx512", true);
    return kernels;
}
