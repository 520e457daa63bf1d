/// \file
/// \brief The kernels for SSE4.2.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::Kernels& attn::simd_transformer::sse4_2_kernels()
{
    static constinit const Kernels kernels =
        kernels_of<xsimd::batch<float, xsimd::sse4_2>>("sse4_2");
    return kernels;
}
