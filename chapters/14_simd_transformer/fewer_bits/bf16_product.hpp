/// \file
/// \brief A product of numbers of 16 bits whose bits are the same on every processor: in the
/// matrix unit of one that has it, in vectors of single precision on any other.
#pragma once

#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"
#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::simd_transformer {

/// Floats, each rounded to the nearest number of 16 bits.
std::vector<BFloat16> to_bf16(std::span<const float> x);

/// C = A B, the definition: what every other form computes, bit for bit. Beside zeros, numbers
/// below 2^-126 are taken for zeros, and become zeros. Nothing is promised about the bits where an
/// argument is infinite or a nan, a sum exceeds the largest float, or the thread rounds otherwise
/// than to nearest.
/// \param a  [m, k], row by row
/// \param b  [k, n], row by row
/// \param c  [m, n], receives the product
void product_bf16(std::size_t m, std::size_t n, std::size_t k, const BFloat16* a,
                  const BFloat16* b, float* c);

/// Lays B [k, n] out in panels of bf16_panel columns, [(k + 1) / 2, bf16_panel] words each: rows
/// 2 p and 2 p + 1 of a column share a word, the first in its lower half. Missing numbers are 0.
/// \param b      entry (p, j) lies at b[p * row + j * step]
/// \param words  receives bf16_words(k, n)
void pack_bf16(std::size_t k, std::size_t n, const BFloat16* b, std::size_t row,
               std::size_t step, std::int32_t* words);

/// The fastest way to multiply that these kernels' processor has: the matrix unit, if `how` has the
/// widest kernels and both processor and operating system grant it.
MultiplyBf16 bf16_multiplication(const Execution& how);

/// B, packed for as many products as there are to come.
class PackedBf16
{
public:
    /// \param b  [k, n], row by row
    PackedBf16(std::size_t k, std::size_t n, const BFloat16* b);

    /// C = A B by `how`.
    /// \param a  [m, k], row by row
    /// \param c  [m, n], receives the product; its bits depend on neither kernels nor threads
    void multiply(const Execution& how, std::size_t m, const BFloat16* a, float* c) const;

private:
    std::size_t k_, n_;
    std::vector<std::int32_t> words_;
};

} // namespace attn::simd_transformer
