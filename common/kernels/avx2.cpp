/// \file
/// \brief The kernels for AVX2 with fused multiplication and addition.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::Kernels& attn::simd_transformer::avx2_kernels()
{
    static constinit const Kernels kernels =
        kernels_of<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>>("avx2");
    return kernels;
}
