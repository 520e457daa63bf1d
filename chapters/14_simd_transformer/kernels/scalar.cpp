/// \file
/// \brief This chapter's kernels in plain C++, for any processor.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::LadderKernels& attn::simd_transformer::scalar_ladder_kernels()
{
    static constinit const LadderKernels kernels = ladder_kernels_of<OneLane<float>>();
    return kernels;
}
