/// \file
/// \brief The kernels for NEON, on 64-bit ARM.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = xsimd::batch<T, xsimd::neon64>;

const attn::kernels::Kernels& attn::kernels::neon_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("neon", true);
    return kernels;
}
