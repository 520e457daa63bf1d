/// \file
/// \brief The table of elementary functions over lists of numbers, which every instruction set
/// fills with its own. Deliberately without checks: vector_math.hpp is the door.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// Elementary functions over lists. x and y hold n numbers and are the same memory or do not
/// overlap. An element's result depends on the element alone, and on every instruction set with
/// fused multiplication and addition it has the same bits. Errors are in units in the last place
/// (ulp) of the exact result.
template <class T>
struct ElementaryKernels
{
    /// e to the power of each element, within 1.5 ulp; 0 where that is below the smallest normal
    /// number.
    void (*exp)(std::size_t n, const T* x, T* y);
    /// The natural logarithm of each element, within 1 ulp, of subnormal numbers too.
    void (*log)(std::size_t n, const T* x, T* y);
    /// The hyperbolic tangent of each element, within 3 ulp.
    void (*tanh)(std::size_t n, const T* x, T* y);
    /// 1 / (1 + e^-x) of each element, within 3 ulp; where that is below the smallest normal
    /// number it may be 0.
    void (*sigmoid)(std::size_t n, const T* x, T* y);
    /// The error function of each element, within 2 ulp.
    void (*erf)(std::size_t n, const T* x, T* y);
    /// e to the power of each element less a shift: of the rounded difference, the bits of exp.
    void (*exp_of_difference)(std::size_t n, const T* x, T shift, T* y);
};

} // namespace attn::kernels
