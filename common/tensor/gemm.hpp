/// \file
/// \brief The product of two matrices in plain memory, row by row, computed by OpenBLAS on one
/// thread. Deliberately no shapes and no ownership: whoever holds a tensor checks its shape
/// and passes where it begins.
#pragma once

#include <cstddef>

namespace attn {

/// Whether a factor of a product is read as it lies in memory, or transposed.
enum class Transpose
{
    no, ///< op(M) is M
    yes ///< op(M) has M's columns as its rows
};

/// C = alpha op(A) op(B) + beta C, all of them stored row by row. The same arguments give the
/// same bits, whatever other threads do; OpenBLAS is kept on one thread for that. It may be
/// called from several threads at a time, for results that do not overlap.
///
/// With k = 0 there is no product, and C = beta C. With beta = 0, C is written without being
/// read, so that what it held, even a nan, is gone; with alpha = 0, neither A nor B is read.
///
/// \tparam T  float or double
/// \param a_transposed  whether A is stored as [k, m] instead of [m, k]
/// \param b_transposed  whether B is stored as [n, k] instead of [k, n]
/// \param m      rows of op(A) and of C, may be 0
/// \param n      columns of op(B) and of C, may be 0
/// \param k      columns of op(A), rows of op(B), may be 0
/// \param alpha  factor of the product
/// \param a      [m, k], or [k, m] if transposed
/// \param lda    numbers from one stored row of A to the next, at least its columns
/// \param b      [k, n], or [n, k] if transposed
/// \param ldb    numbers from one stored row of B to the next, at least its columns
/// \param beta   factor of what C held
/// \param c      [m, n], overlapping neither A nor B
/// \param ldc    numbers from one row of C to the next, at least n
/// \throws ContractError if lda, ldb or ldc is too small, or a size is more than OpenBLAS counts to
template <typename T>
void gemm(Transpose a_transposed, Transpose b_transposed, std::size_t m, std::size_t n,
          std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb,
          T beta, T* c, std::size_t ldc);

} // namespace attn
