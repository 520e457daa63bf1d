/// \file
/// \brief The ways to compute a matrix product, softmax and attention, from plain loops up, as
/// named objects: what the program, the benchmarks, the figures and the tests iterate over.
#pragma once

#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"
#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::simd_transformer {

// ---------------------------------------------------------------- matrix product

/// One way to compute C = A B.
struct MatrixProductVariant
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what is new in it, in a line
    /// C [m, n] = A [m, k] B [k, n], all of them row by row without gaps. Only the last variant
    /// uses more than one thread.
    void (*multiply)(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                     const float* a, const float* b, float* c);
};

/// All of them, the way up: "left to the compiler" is "loop order" once more, with vectors, the
/// others go on from the one before. The first adds up in double and is what the others are
/// compared with. The variants in plain loops are the same for every instruction set.
const std::vector<MatrixProductVariant>& matrix_product_variants();

// ---------------------------------------------------------------- softmax

/// One way to compute the softmax of rows.
struct SoftmaxVariant
{
    const char* name; ///< short, for a table
    const char* idea; ///< in one line, what is new beside the variant before
    /// y_ij = e^x_ij / sum_l e^x_il. A row of which every number is -inf becomes zeros.
    /// \param how   kernels; threads are used by the last variant alone
    /// \param size  of the matrix
    /// \param x     [n_rows, n]
    /// \param y     [n_rows, n], receives the result, overlapping no number of x
    void (*run)(const Execution& how, MatrixSize size, const float* x, float* y);
    /// How often each number of a matrix that fits no cache goes between processor and memory:
    /// read once, written once, or more.
    double n_passes;
};

/// The variants, from plain loops in double precision upwards. Not each is faster than the one
/// before it.
const std::vector<SoftmaxVariant>& softmax_variants();

/// Softmax of rows as the last variant does it: blocks of rows for the threads, three rows at a
/// time if the matrix has at most 8 MiB, otherwise row by row, in chunks where a row has more
/// than softmax_chunk numbers. Measured were matrices of 128 KiB and of 64 MiB; the border
/// between them is a guess. A row with a nan or with +inf becomes nan. Arguments are those of a
/// variant.
void softmax(const Execution& how, MatrixSize size, const float* x, float* y);

// ---------------------------------------------------------------- attention

/// One way to compute attention.
struct AttentionVariant
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what it adds to the one before, in a line
    /// Contexts [batch, n_queries, H d_v] of queries [batch, n_queries, H d_k], keys [batch,
    /// n_keys, H d_k] and values [batch, n_keys, H d_v]; a query without keys gets 0. Only
    /// the last variant uses more than one thread.
    void (*attend)(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                   const float* queries, const float* keys, const float* values,
                   float* context);
    /// Whether all scores of a head exist at a time: then they go to memory and back if no
    /// cache holds them, whatever the sentence's length.
    bool keeps_all_scores;
};

/// All of them, each a step up from the one before; the first adds up in double and is what
/// the others are compared with.
const std::vector<AttentionVariant>& attention_variants();

/// Multiplications and additions of attention, counted as two operations each, and nothing
/// else: \f$ 2 H n_q n_k (d_k + d_v) \f$ a sentence forwards, half of it if causal; the
/// backward pass has two and a half times as many.
double attention_operations(const AttentionSizes& sizes, bool causal);

} // namespace attn::simd_transformer
