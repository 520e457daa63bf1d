/// \file
/// \brief This chapter's kernels for SSE4.2.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::LadderKernels& attn::simd_transformer::sse4_2_ladder_kernels()
{
    static constinit const LadderKernels kernels =
        ladder_kernels_of<xsimd::batch<float, xsimd::sse4_2>>();
    return kernels;
}
