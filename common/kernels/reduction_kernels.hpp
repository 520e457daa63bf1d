/// \file
/// \brief What a list of numbers adds up to, for one instruction set.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// Sums along a row, in 16 parts (8 in double) that are folded in halves.
/// \tparam T  float or double
template <class T>
struct ReductionKernels
{
    /// The sum of n numbers, 0 of none.
    T (*sum)(std::size_t n, const T* x);
    /// The inner product of two lists of n numbers, by fused steps; 0 of none.
    T (*dot)(std::size_t n, const T* x, const T* y);
    /// The largest of n numbers, -inf of none; nans are passed over.
    T (*largest)(std::size_t n, const T* x);
};

} // namespace attn::kernels
