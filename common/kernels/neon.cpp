/// \file
/// \brief The kernels for NEON.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::Kernels& attn::simd_transformer::neon_kernels()
{
    static constinit const Kernels kernels =
        kernels_of<xsimd::batch<float, xsimd::neon64>>("neon");
    return kernels;
}
