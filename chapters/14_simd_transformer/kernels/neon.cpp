/// \file
/// \brief This chapter's kernels for NEON, on 64-bit ARM.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::LadderKernels& attn::simd_transformer::neon_ladder_kernels()
{
    static constinit const LadderKernels kernels =
        ladder_kernels_of<xsimd::batch<float, xsimd::neon64>>();
    return kernels;
}
