/// \file
/// \brief The inner loops of softmax over rows, for one instruction set, and the powers that it
/// is made of. Deliberately without threads; softmax.hpp has those.
#pragma once

#include "chapters/14_simd_transformer/kernels/rows.hpp"

#include <cstddef>

namespace attn::simd_transformer {

/// Numbers of a row that SoftmaxKernels::rows_in_chunks takes at a time: 2 KiB.
constexpr std::size_t softmax_chunk = 512;

/// The inner loops of softmax over rows. A row of which every number is -inf becomes zeros.
struct SoftmaxKernels
{
    /// y_i = e^x_i for x_i <= 0: within 2 units in the last place from -87.3 on, 0 below
    /// -126.5 ln 2, which is -87.68: there the exponent of 2 is rounded to -127.
    void (*exp)(std::size_t n, const float* x, float* y);
    /// y_i = 2^x_i for x_i <= 0: within 2 units in the last place from -126 on, 0 below -126.5.
    void (*exp2)(std::size_t n, const float* x, float* y);

    /// The largest of n numbers, -inf of none.
    float (*largest)(std::size_t n, const float* x);
    /// y_i = e^(x_i - largest), and their sum.
    float (*powers)(std::size_t n, const float* x, float largest, float* y);
    /// y_i = factor y_i.
    void (*scale)(std::size_t n, float factor, float* y);

    /// Softmax, row by row: each of the three loops above over a row that is in the cache.
    void (*rows)(RowsSize size, const float* x, float* y);
    /// The same, with the largest number and the sum of the powers from one loop.
    void (*rows_online)(RowsSize size, const float* x, float* y);
    /// The same, each row in chunks of softmax_chunk numbers: the powers of a chunk are taken under
    /// the largest number so far, and brought under the row's at the end.
    /// \param under  [n / softmax_chunk, rounded up], for the kernel itself
    void (*rows_in_chunks)(RowsSize size, const float* x, float* y, float* under);
    /// The same with three rows on their way: one is looked through, one is worked on, one is
    /// written.
    /// \param powers  [2 n], for the kernel itself
    void (*three_rows)(RowsSize size, const float* x, float* y, float* powers);
    /// The same with stores around the cache.
    void (*three_rows_streamed)(RowsSize size, const float* x, float* y, float* powers);
};

} // namespace attn::simd_transformer
