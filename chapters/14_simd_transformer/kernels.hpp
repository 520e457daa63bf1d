/// \file
/// \brief What this chapter compiles once for each instruction set beside the book's own
/// kernels: the limits of the machine, the lower variants of the ladders, attention in one
/// pass, decoding over weights of few bytes, and products of few bits; as pointers to functions over plain memory, for the reason that
/// common/kernels/kernels.hpp gives.
#pragma once

#include "chapters/14_simd_transformer/decoding/packed_weights.hpp"
#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"
#include "chapters/14_simd_transformer/fused_attention/kernels.hpp"
#include "chapters/14_simd_transformer/matrix_product/plain_products.hpp"
#include "common/kernels/kernels.hpp"

namespace attn::kernels {
struct Execution;
}

/// The fast transformer.
namespace attn::simd_transformer {

using kernels::Execution;

/// The limits of the machine, as loops.
struct MachineKernels
{
    /// Multiplies and adds in registers alone, in independent chains: 16 where there are 32
    /// registers, otherwise 12. None waits as long as units times latency is no more than that,
    /// as with two units of five cycles, or four of four and 32 registers.
    /// \param rounds  how often each chain goes on by one
    /// \param sink    receives one number, so that the work is not left out
    /// \returns       floating point operations done, two a multiplication and addition
    double (*multiply_add)(std::size_t rounds, float* sink);
    /// Copies by vectors, with stores that go through the cache.
    void (*copy)(const float* from, float* to, std::size_t n);
    /// Copies by vectors, with stores that go around the cache.
    /// \param to  at a multiple of the vector's size
    void (*stream)(const float* from, float* to, std::size_t n);
};

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
    float (*exponentials)(std::size_t n, const float* x, float largest, float* y);
    /// y_i = factor y_i.
    void (*scale)(std::size_t n, float factor, float* y);

    /// Softmax, row by row: each of the three loops above over a row that is in the cache.
    void (*rows)(MatrixSize size, const float* x, float* y);
    /// The same, with the largest number and the sum of the exponentials from one loop.
    void (*rows_online)(MatrixSize size, const float* x, float* y);
    /// The same, each row in chunks of softmax_chunk numbers: the exponentials of a chunk are
    /// taken under the largest number so far, and brought under the row's at the end.
    /// \param under  [n / softmax_chunk, rounded up], for the kernel itself
    void (*rows_in_chunks)(MatrixSize size, const float* x, float* y, float* under);
    /// The same with three rows on their way: one is looked through, one is worked on, one is
    /// written.
    /// \param exponentials  [2 n], for the kernel itself
    void (*three_rows)(MatrixSize size, const float* x, float* y, float* exponentials);
    /// The same with stores around the cache.
    void (*three_rows_streamed)(MatrixSize size, const float* x, float* y, float* exponentials);
};

/// What this chapter compiles once for each instruction set.
struct LadderKernels
{
    std::size_t lanes;           ///< floats in a register
    MachineKernels machine;      ///< the machine's limits
    PlainProducts products;      ///< 14a
    SoftmaxKernels softmax;      ///< 14b
    AttentionKernels attention;  ///< 14b
    DecodingPanelKernels panels; ///< 14e
    Bf16Kernels bf16;            ///< 14f
};

/// This chapter's kernels as they are compiled for a set.
/// \tparam set  of this kind of processor: for others nothing is compiled
template <kernels::InstructionSet set>
const LadderKernels& ladder_kernels_for();

/// This chapter's kernels for the same instruction set as the book's.
const LadderKernels& ladder_kernels(const Execution& how);

} // namespace attn::simd_transformer
