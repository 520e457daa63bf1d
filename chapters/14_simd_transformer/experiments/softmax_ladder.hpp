/// \file
/// \brief Softmax over the rows of a matrix as a ladder, from plain loops to as fast as memory
/// delivers, each rung a named object.
#pragma once

#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <vector>

namespace attn::simd_transformer {

/// One way to compute the softmax of rows.
struct SoftmaxRung
{
    const char* name; ///< short, for a table
    const char* idea; ///< in one line, what is new beside the rung before
    /// y_ij = e^x_ij / sum_l e^x_il. A row of which every number is -inf becomes zeros.
    /// \param how   kernels; threads are used by the last rung alone
    /// \param size  of the matrix
    /// \param x     [n_rows, n]
    /// \param y     [n_rows, n], receives the result, overlapping no number of x
    void (*run)(const Execution& how, MatrixSize size, const float* x, float* y);
    /// How often each number of a matrix that fits no cache goes between processor and memory: read
    /// once, written once, or more.
    double n_passes;
};

/// The rungs, from plain loops in double precision upwards. Not each is faster than the one
/// before it.
const std::vector<SoftmaxRung>& softmax_ladder();

/// Softmax of rows as the last rung does it: blocks of rows for the threads, three rows at a time
/// if the matrix has at most 8 MiB, otherwise row by row, in chunks where a row has more than
/// softmax_chunk numbers. Measured were matrices of 128 KiB and of 64 MiB; the border between
/// them is a guess. A row with a nan or with +inf becomes nan. Arguments are those of a rung.
void softmax(const Execution& how, MatrixSize size, const float* x, float* y);

} // namespace attn::simd_transformer
