/// \file
/// \brief Softmax and its logarithm along an axis, and the softmax over the visible keys: one
/// step of the tape each, forward and back. Deliberately without a temperature and without the
/// product with values; those are the chapters'.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>

namespace attn::autograd {

/// What may be seen: true for a visible key. Against scores of some shape its axes are aligned
/// from the last one on, and an axis that is missing or has length 1 is repeated: [batch, 1,
/// n_keys] hides the same keys from every query of [batch, n_queries, n_keys].
using Mask = Array<bool>;

/// The softmax, \f$ y_j = e^{x_j} / \sum_l e^{x_l} \f$ (\cite bridle1990), computed from
/// differences to the largest score, so that no power is too large. A score of -infinity has
/// weight 0; where all are -infinity, all weights are 0, like those of a row without a visible
/// key. The gradient of a weight that is 0 is exactly 0.
/// \param x     scores, of any shape but rank 0
/// \param axis  along which the weights sum to 1; negative: counted from the last
/// \returns     weights, of x's shape
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> softmax(const Variable<T>& x, std::ptrdiff_t axis = -1);

/// The logarithm of the softmax, \f$ y_j = x_j - \log \sum_l e^{x_l} \f$: finite where the
/// softmax itself is rounded to 0. A score of -infinity gives -infinity, and has gradient 0.
/// \param x     scores, of any shape but rank 0
/// \param axis  along which the exponentials of the result sum to 1; negative: from the last
/// \returns     of x's shape
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> log_softmax(const Variable<T>& x, std::ptrdiff_t axis = -1);

/// The softmax over the visible keys. A hidden key has weight exactly 0 and gradient exactly 0,
/// whatever its score, even infinite or nan, and whatever gradient arrives. Where nothing is
/// visible, all weights and gradients are 0.
/// \param x     scores, of any shape but rank 0
/// \param mask  of x's shape, or repeated to it
/// \param axis  along which the weights of the visible keys sum to 1; negative: from the last
/// \returns     weights, of x's shape
/// \throws ContractError if there is no such axis, or the mask cannot be repeated to x's shape
template <typename T>
Variable<T> masked_softmax(const Variable<T>& x, const Mask& mask, std::ptrdiff_t axis = -1);

} // namespace attn::autograd
