/// \file
/// \brief Functions of one number, applied to every entry: exponential, logarithm and what
/// stands between two layers. Each is one step of the tape, forward and back by whole arrays; x
/// has any shape, and the result has it too.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// e to the power of every entry.
template <typename T>
Variable<T> exp(const Variable<T>& x);

/// The natural logarithm of every entry: -infinity for 0, nan below.
template <typename T>
Variable<T> log(const Variable<T>& x);

/// The hyperbolic tangent of every entry.
template <typename T>
Variable<T> tanh(const Variable<T>& x);

/// The logistic function of every entry, \f$ \sigma(x) = 1 / (1 + e^{-x}) \f$.
template <typename T>
Variable<T> sigmoid(const Variable<T>& x);

/// Zero for what is below zero, \f$ \max(x, 0) \f$ (\cite nair2010). The slope at 0 is 0; a nan
/// stays one.
template <typename T>
Variable<T> relu(const Variable<T>& x);

/// A small slope below zero: \f$ x \f$ above, \f$ a x \f$ below (\cite maas2013). The slope at
/// 0 is a.
/// \param slope  a, any finite number
/// \throws ContractError if the slope is not finite
template <typename T>
Variable<T> leaky_relu(const Variable<T>& x, double slope = 0.01);

/// The Gaussian error linear unit, \f$ x \Phi(x) \f$ with the normal distribution function
/// \f$ \Phi(x) = (1 + \mathrm{erf}(x / \sqrt 2)) / 2 \f$ (\cite hendrycks2016).
/// Exact to rounding errors of x, not of the tiny result where x is far below 0.
template <typename T>
Variable<T> gelu(const Variable<T>& x);

/// Its approximation \f$ \frac x2 (1 + \tanh(\sqrt{2 / \pi} (x + 0.044715 x^3))) \f$
/// (\cite hendrycks2016, section 2), which is at most 5e-4 away.
template <typename T>
Variable<T> gelu_tanh(const Variable<T>& x);

} // namespace attn::autograd
