/// \file
/// \brief This chapter's kernels for AVX-512.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::LadderKernels& attn::simd_transformer::avx512_ladder_kernels()
{
    static constinit const LadderKernels kernels =
        ladder_kernels_of<xsimd::batch<float, xsimd::avx512bw>>();
    return kernels;
}
