/// \file
/// \brief The kernels for AVX-512.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::Kernels& attn::simd_transformer::avx512_kernels()
{
    static constinit const Kernels kernels =
        kernels_of<xsimd::batch<float, xsimd::avx512bw>>("avx512");
    return kernels;
}
