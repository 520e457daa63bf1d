/// \file
/// \brief The affine map X W + b along the last axis, in one step of the tape, by itself or with a
/// ReLU after it.
#pragma once

#include "common/autograd/tape.hpp"

#include <optional>
#include <type_traits>

namespace attn::autograd {

/// Y = X W + b or, without a bias, X W, on the last axis of any rank.
/// \param x       X [..., n_in], rank at least 1
/// \param weight  W [n_in, n_out]
/// \param bias    b [n_out], or none
/// \returns       Y [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> linear(const Variable<T>& x, const Variable<T>& weight,
                   const std::type_identity_t<std::optional<Variable<T>>>& bias = {});

/// Y = max(X W + b, 0) as one step: the bits of relu(linear(x, weight, bias)), and the gradient
/// needs nothing but Y.
/// \param x       X [..., n_in], rank at least 1
/// \param weight  W [n_in, n_out]
/// \param bias    b [n_out]
/// \returns       Y [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> linear_relu(const Variable<T>& x, const Variable<T>& weight,
                        const Variable<T>& bias);

} // namespace attn::autograd
