/// \file
/// \brief Layer normalisation as one step of the tape, alone or with the residual sum before it.
/// Deliberately over the last axis alone, and always with a gain and a bias.
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

/// What a transformer's layer goes on with after a residual connection.
template <typename T>
struct Normalised
{
    Variable<T> sum;        ///< x + y, of x's shape
    Variable<T> normalised; ///< layer_norm of it
};

/// x + y and its normalisation, in one walk over the rows: the bits of the two by themselves.
/// \param x        [..., d], d at least 1
/// \param y        of x's shape
/// \param gain     [d]
/// \param bias     [d]
/// \param epsilon  finite, above 0
/// \returns        both
/// \throws ContractError if x and y have not the same shape, and as layer_norm
template <typename T>
Normalised<T> add_and_normalise(const Variable<T>& x, const Variable<T>& y,
                                const Variable<T>& gain, const Variable<T>& bias,
                                double epsilon = 1e-5);

} // namespace attn::autograd
