/// \file
/// \brief This chapter's kernels for AVX2 with fused multiplication and addition.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::LadderKernels& attn::simd_transformer::avx2_ladder_kernels()
{
    static constinit const LadderKernels kernels =
        ladder_kernels_of<xsimd::batch<float, xsimd::fma3<xsimd::avx2>>>();
    return kernels;
}
