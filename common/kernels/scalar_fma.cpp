/// \file
/// \brief The kernels in plain C++, compiled for processors with a fused instruction.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = OneLane<T>;

const attn::kernels::Kernels& attn::kernels::scalar_fma_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("scalar", true);
    return kernels;
}
