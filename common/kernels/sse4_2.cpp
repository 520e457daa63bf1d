/// \file
/// \brief The kernels for SSE4.2, which rounds twice where the others round once.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = xsimd::batch<T, xsimd::sse4_2>;

const attn::kernels::Kernels& attn::kernels::sse4_2_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("sse4_2", false);
    return kernels;
}
