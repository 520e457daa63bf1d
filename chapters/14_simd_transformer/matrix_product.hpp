/// \file
/// \brief The matrix product on this chapter's own kernels: cut into blocks that fit the caches,
/// packed where that pays, computed by register tiles and shared among threads. Deliberately
/// float only: double precision stays with OpenBLAS. How one gets there, rung by rung, is in
/// matrix_product_ladder.hpp.
#pragma once

#include "chapters/14_simd_transformer/instruction_sets.hpp"
#include "common/tensor/gemm.hpp"

#include <cstddef>

namespace attn::simd_transformer {

/// C = alpha op(A) op(B) + beta C, all of them stored row by row: attn::gemm on the kernels of
/// this chapter, with the same contract. The bits of the result depend on the kernels alone: an
/// entry of C is summed in the same order wherever it stands, in whichever block and thread.
///
/// With k = 0 there is no product, and C = beta C. With beta = 0, C is written without being
/// read, so that what it held, even a nan, is gone; with alpha = 0, neither A nor B is read.
/// \param how           the kernels, and on how many threads
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
/// \throws ContractError if lda, ldb or ldc is too small, or there is no thread
/// \see The register tile of this form, and its walk through the caches: \cite goto2008
void multiply(const Execution& how, Transpose a_transposed, Transpose b_transposed,
              std::size_t m, std::size_t n, std::size_t k, float alpha, const float* a,
              std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
              std::size_t ldc);

} // namespace attn::simd_transformer
