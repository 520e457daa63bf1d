/// \file
/// \brief The inner loops of softmax over rows, for one instruction set, and the powers that it
/// is made of. Deliberately without threads; softmax.hpp has those.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// A matrix whose rows lie in memory without gaps.
struct MatrixSize
{
    std::size_t n_rows; ///< may be 0
    std::size_t n;      ///< numbers in a row
};

/// Numbers of a row that SoftmaxKernels::rows_in_chunks takes at a time: 2 KiB.
constexpr std::size_t softmax_chunk = 512;

/// The inner loops of softmax over rows. A row of which every number is -inf becomes zeros.
struct SoftmaxKernels
{
    /// y_i = 2^x_i for x_i <= 0: within 2 units in the last place from -126 on, 0 below -126.5.
    void (*exp2)(std::size_t n, const float* x, float* y);

    /// The largest of n numbers, -inf of none.
    float (*largest)(std::size_t n, const float* x);
    /// y_i = e^(x_i - largest), and their sum.
    float (*powers)(std::size_t n, const float* x, float largest, float* y);
    /// y_i = factor y_i.
    void (*scale)(std::size_t n, float factor, float* y);

    /// Softmax, row by row: each of the three loops above over a row that is in the cache.
    void (*rows)(MatrixSize size, const float* x, float* y);
    /// The same, with the largest number and the sum of the powers from one loop.
    void (*rows_online)(MatrixSize size, const float* x, float* y);
    /// The same, each row in chunks of softmax_chunk numbers: the powers of a chunk are taken under
    /// the largest number so far, and brought under the row's at the end.
    /// \param under  [n / softmax_chunk, rounded up], for the kernel itself
    void (*rows_in_chunks)(MatrixSize size, const float* x, float* y, float* under);
    /// The same with three rows on their way: one is looked through, one is worked on, one is
    /// written.
    /// \param powers  [2 n], for the kernel itself
    void (*three_rows)(MatrixSize size, const float* x, float* y, float* powers);
    /// The same with stores around the cache.
    void (*three_rows_streamed)(MatrixSize size, const float* x, float* y, float* powers);
};

} // namespace attn::simd_transformer
