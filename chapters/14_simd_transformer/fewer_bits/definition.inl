/// \file
/// \brief What a product of numbers of 16 bits is, to the last bit: plain C++ that rounds to nearest,
/// as every program does unless it asks for another mode. Every other form is held to it.
#pragma once

#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"

namespace {

// [flushed]
/// x, or a zero of its sign if it is below the normal numbers.
inline float flushed(float x)
{
    return __builtin_fabsf(x) < 0x1p-126F ? __builtin_copysignf(0.0F, x) : x;
}

/// x y + sum, rounded once, and a zero if that is below the normal numbers. What rounds up to the
/// smallest normal number, with 24 bits of its own, is not below them.
inline float multiply_add_flushed(float x, float y, float sum)
{
    const double near = static_cast<double>(x) * static_cast<double>(y) + sum;
    if (__builtin_fabs(near) < 0x1p-126 - 0x1p-151) {
        return __builtin_copysignf(0.0F, static_cast<float>(near));
    }
    return __builtin_fmaf(x, y, sum);
}
// [flushed]

// [definition]
/// c + a row of A times a column of B.
/// \param left   (p) is the row's p-th number, and 0 from the k-th on
/// \param right  (p) is the column's, likewise
template <class Left, class Right>
inline float add_inner_product(std::size_t k, const Left& left, const Right& right, float c)
{
    for (std::size_t first = 0; first < k; first += 32) {
        float even = 0;
        float odd = 0;
        for (std::size_t p = first; p < first + 32; p += 2) {
            even = multiply_add_flushed(left(p), right(p), even);
            odd = multiply_add_flushed(left(p + 1), right(p + 1), odd);
        }
        c = flushed(flushed(c) + flushed(even + odd));
    }
    return c;
}
// [definition]

} // namespace
