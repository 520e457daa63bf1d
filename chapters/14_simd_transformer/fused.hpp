/// \file
/// \brief Operators of the tape that do in one walk over their rows what common/autograd does in
/// several: a product with bias and activation, a residual with its normalisation, the cross
/// entropy. Each computes what its namesake there does. Deliberately for float alone, without
/// attention, which has a file of its own, and without a product: that is attn::gemm's, on the
/// kernels of this chapter only as long as a guard of fast_layers.hpp says so.
#pragma once

#include "chapters/14_simd_transformer/ladder_kernels.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/tape.hpp"

#include <cstdint>
#include <span>

namespace attn::simd_transformer {

using autograd::Variable;

/// Y = X W + b, on the last axis of any rank. The product is attn::gemm's.
/// \param how     kernels and threads of what follows the product
/// \param x       X [..., n_in], rank at least 1
/// \param weight  W [n_in, n_out]
/// \param bias    b [n_out]
/// \returns       Y [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
Variable<float> linear(const Execution& how, const Variable<float>& x,
                       const Variable<float>& weight, const Variable<float>& bias);

/// Y = max(X W + b, 0): bias and activation are one walk over the product, which is
/// attn::gemm's, and the way back needs nothing but Y.
/// \param how     kernels and threads of what follows the product
/// \param x       X [..., n_in], rank at least 1
/// \param weight  W [n_in, n_out]
/// \param bias    b [n_out]
/// \returns       Y [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
Variable<float> linear_relu(const Execution& how, const Variable<float>& x,
                            const Variable<float>& weight, const Variable<float>& bias);

/// Y = z Phi(z) of z = X W + b, with the normal distribution function Phi (\cite hendrycks2016).
/// If there is a tape, the slope is computed on the way forward, from the same power of e, so
/// that the way back multiplies and does no more. The product is attn::gemm's.
/// \param how     kernels and threads of what follows the product
/// \param x       X [..., n_in], rank at least 1
/// \param weight  W [n_in, n_out]
/// \param bias    b [n_out]
/// \returns       Y [..., n_out]
/// \throws ContractError naming both shapes if they do not go together
Variable<float> linear_gelu(const Execution& how, const Variable<float>& x,
                            const Variable<float>& weight, const Variable<float>& bias);

/// Each row with mean 0 and variance 1, then times a gain and plus a bias
/// (\cite ba2016, equation 4), as autograd::layer_norm.
/// \param how      kernels and threads
/// \param x        [..., d], d at least 1
/// \param gain     [d]
/// \param bias     [d]
/// \param epsilon  finite, above 0
/// \returns        of x's shape
/// \throws ContractError if x has rank 0 or d is 0, gain or bias is not [d], or epsilon is not
///         finite and above 0
Variable<float> layer_norm(const Execution& how, const Variable<float>& x,
                           const Variable<float>& gain, const Variable<float>& bias,
                           double epsilon = 1e-5);

/// What a transformer's layer goes on with behind a residual connection.
struct Normalised
{
    Variable<float> sum;        ///< x + y, of x's shape
    Variable<float> normalised; ///< layer_norm of it
};

/// x + y and its normalisation, in one walk over the rows.
/// \param how      kernels and threads
/// \param x        [..., d], d at least 1
/// \param y        of x's shape
/// \param gain     [d]
/// \param bias     [d]
/// \param epsilon  finite, above 0
/// \returns        both
/// \throws ContractError if x and y have not the same shape, and what layer_norm throws
Normalised add_and_normalise(const Execution& how, const Variable<float>& x,
                             const Variable<float>& y, const Variable<float>& gain,
                             const Variable<float>& bias, double epsilon = 1e-5);

/// The cross entropy of softmax(logits) against targets, as autograd::cross_entropy. No table of
/// probabilities is kept: the way back computes them again from the row's largest logit and the
/// sum of its powers.
/// \param how      kernels and threads
/// \param logits   [n, n_classes]
/// \param targets  [n], each from 0 to n_classes - 1, or the ignored one
/// \param options  what is ignored, smoothing, mean or sum
/// \returns        the loss, of rank 0
/// \throws ContractError if the logits' rank is not 2, there is not one target a row, a target
///         is no class, or the smoothing is not from 0 to 1
Variable<float> cross_entropy(const Execution& how, const Variable<float>& logits,
                              std::span<const std::int64_t> targets,
                              const autograd::CrossEntropy& options = {});

} // namespace attn::simd_transformer
