/// \file
/// \brief The product of matrices, and of stacks of matrices. Deliberately for matrices alone: a
/// vector is a matrix with one row or one column.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/kernels/gemm.hpp"

namespace attn::autograd {

/// op(A) op(B), matrix by matrix along the leading axes. Leading axes of length 1, or that are
/// not there, are repeated.
/// \param a  [..., n, k], or [..., k, n] if transposed
/// \param b  [..., k, m], or [..., m, k] if transposed
/// \returns  [..., n, m]
/// \throws ContractError naming both shapes if they do not go together or have fewer than two axes
template <typename T>
Variable<T> matmul(const Variable<T>& a, const Variable<T>& b,
                   Transpose a_transposed = Transpose::no,
                   Transpose b_transposed = Transpose::no);

} // namespace attn::autograd
