/// \file
/// \brief The kernels in plain C++, for any processor.
#include "common/kernels/all.inl"

/// The vector of this set.
template <class T>
using VectorOf = OneLane<T>;

const attn::kernels::Kernels& attn::kernels::scalar_kernels()
{
    static constinit const Kernels kernels = kernels_of<VectorOf>("scalar", true);
    return kernels;
}
