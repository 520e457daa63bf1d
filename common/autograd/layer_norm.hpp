/// \file
/// \brief Layer normalisation as one step of the tape. Deliberately over the last axis alone, and
/// always with a gain and a bias.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// Each row with mean 0 and variance 1, then times a gain and plus a bias
/// (\cite ba2016, equation 4): \f$ y_j = g_j (x_j - \mu) / \sqrt{\sigma^2 + \epsilon} + b_j \f$
/// with the row's mean and its variance \f$ \sigma^2 = \frac1d \sum_j (x_j - \mu)^2 \f$. A row of
/// equal numbers becomes the bias.
/// \param x        [..., d], d at least 1
/// \param gain     [d]
/// \param bias     [d]
/// \param epsilon  finite, above 0
/// \returns        of x's shape
/// \throws ContractError if x has rank 0 or d is 0, gain or bias is not [d], or epsilon is not
///         finite and above 0
template <typename T>
Variable<T> layer_norm(const Variable<T>& x, const Variable<T>& gain, const Variable<T>& bias,
                       double epsilon = 1e-5);

/// Demands what layer_norm demands.
/// \param x         as there
/// \param gain      as there
/// \param bias      as there
/// \param epsilon   as there
/// \throws ContractError as there
template <typename T>
void expect_normalisable(const Variable<T>& x, const Variable<T>& gain, const Variable<T>& bias,
                         double epsilon);

} // namespace attn::autograd
