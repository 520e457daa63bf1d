/// \file
/// \brief The kernels in plain C++, for any processor.
#include "chapters/14_simd_transformer/kernels/all.inl"

const attn::simd_transformer::Kernels& attn::simd_transformer::scalar_kernels()
{
    static constinit const Kernels kernels = kernels_of<OneLane>("scalar");
    return kernels;
}
