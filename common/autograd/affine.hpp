/// \file
/// \brief What the fused operators do with rows of numbers: the gradients of X W + b, and the
/// check of a shape. Deliberately not operators: nothing here is written on a tape.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>

namespace attn::autograd {

/// Demands a shape.
/// \throws ContractError if it has another shape; the message holds both
template <typename T>
void expect_shape(const Variable<T>& x, const Shape& wanted, const char* function,
                  const char* argument);

/// The shape of X W + b, on the last axis of any rank.
/// \param x         X [..., n_in], rank at least 1
/// \param weight    W [n_in, n_out]
/// \param bias      b [n_out], or null for none
/// \returns         [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Shape affine_shape(const Variable<T>& x, const Variable<T>& weight, const Variable<T>* bias,
                   const char* function);

/// dW += Xᵀ dY, if W needs a gradient.
/// \param weight  W [n_in, n_out]
/// \param x       X [n_rows, n_in]
/// \param stride  numbers from one row of X to the next, at least n_in
/// \param dy      dY [n_rows, n_out]
template <typename T>
void add_weight_gradient(const Variable<T>& weight, std::size_t n_rows, const T* x,
                         std::size_t stride, const T* dy);

/// db += the sum of dY's rows, if b needs a gradient.
/// \param bias  b [n_out]
/// \param dy    dY [n_rows, n_out]
template <typename T>
void add_bias_gradient(const Variable<T>& bias, std::size_t n_rows, const T* dy);

/// The transpose of a matrix. A factor that many small products read transposed is transposed once,
/// not packed by each of them.
template <typename T>
Array<T> transposed(const Array<T>& matrix);

} // namespace attn::autograd
