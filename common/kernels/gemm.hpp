/// \file
/// \brief The product of two matrices in plain memory, row by row: cut into blocks that fit the
/// caches, packed where that pays, computed by register tiles and shared among threads.
/// No shapes and no ownership: whoever holds a tensor checks its shape and passes
/// where it begins. Chapter 14 tells how one gets there.
#pragma once

#include <cstddef>

namespace attn {

/// Whether a factor of a product is read as it lies in memory, or transposed.
enum class Transpose
{
    no, ///< op(M) is M
    yes ///< op(M) has M's columns as its rows
};

/// C = alpha op(A) op(B) + beta C, all of them stored row by row, by the kernels and threads of
/// kernels::execution(). An entry of C is one chain of fused multiplications and additions over the
/// depth, in order, from 0 or from what C held; alpha multiplies the number of A first. So its bits
/// depend on its row of A and its column of B alone: not on the other rows, on where it stands, on
/// threads, or on the instruction set, as long as that is fused. It may be called from several
/// threads at a time, for results that do not overlap.
///
/// With k = 0 there is no product, and C = beta C. With beta = 0, C is written without being
/// read, so that what it held, even a nan, is gone.
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
/// \param beta   0 or 1
/// \param c      [m, n], overlapping neither A nor B
/// \param ldc    numbers from one row of C to the next, at least n
/// \throws ContractError if lda, ldb or ldc is too small, or beta is neither 0 nor 1
/// \see The register tile of this form, and its walk through the caches: \cite goto2008
template <typename T>
void gemm(Transpose a_transposed, Transpose b_transposed, std::size_t m, std::size_t n,
          std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb,
          T beta, T* c, std::size_t ldc);

/// Y = X W + b: every chain begins with its column's bias.
/// \param m       rows of X and Y, may be 0
/// \param n       columns of W and Y, may be 0
/// \param k       columns of X, rows of W, may be 0
/// \param x       X [m, k], without gaps
/// \param weight  W [k, n], without gaps
/// \param bias    b [n]; null for zeros
/// \param y       Y [m, n], without gaps, overlapping nothing else
template <typename T>
void affine_product(std::size_t m, std::size_t n, std::size_t k, const T* x, const T* weight,
                    const T* bias, T* y);

} // namespace attn
