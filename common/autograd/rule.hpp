/// \file
/// \brief What the operators' rules are written with: how a contribution is added to a gradient.
/// Deliberately not for whoever only uses operators.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/kernels/row_blocks.hpp"

#include <algorithm>
#include <cstddef>

namespace attn::autograd {

/// Where a contribution to a gradient goes. The first one replaces what is there, which is not
/// initialised; later ones are added: the beta of a matrix product.
template <typename T>
struct GradientSum
{
    T* data; ///< the gradient's numbers, row by row
    T beta;  ///< 0 for the first contribution, then 1
};

/// Opens the gradient of a variable that needs one for a contribution, which must then reach
/// every entry.
/// \throws ContractError if the step that computed the variable is gone or on an outer tape, so that
///         its gradient would go no further, or if there is a gradient of another shape than the
///         value's
template <typename T>
GradientSum<T> open_gradient(const Variable<T>& x)
{
    Node<T>& node = x.node();
    expect(!node.spent,
           "backward: the loss depends on a value of shape {} whose step is gone, with an "
           "earlier backward or its tape; detach() makes a constant of it",
           node.value.shape());
    expect(node.depth == 0 ||
               (Tape<T>::current != nullptr && node.depth == Tape<T>::current->depth()),
           "backward: the loss depends on a value of shape {} that is on an outer tape, where "
           "its gradient would stay; detach() makes a constant of it",
           node.value.shape());
    const bool fits = node.gradient && node.gradient->shape() == node.value.shape();
    if (node.has_gradient) {
        expect(fits,
               "backward: a value was given the shape {} and still has a gradient of shape {}; "
               "clear_gradient() comes first",
               node.value.shape(), node.gradient->shape());
        return {node.gradient->data(), T(1)};
    }
    if (!fits) {
        node.gradient.emplace(node.value.shape());
    }
    node.has_gradient = true;
    return {node.gradient->data(), T(0)};
}

/// Opens the gradient of a variable that needs one for contributions to some entries.
/// \returns  the gradient's numbers, zeros if nothing has flowed in yet; to be added to
template <typename T>
T* zeroed_gradient(const Variable<T>& x)
{
    const GradientSum<T> sum = open_gradient(x);
    if (sum.beta == T(0)) {
        std::fill_n(sum.data, x.size(), T(0));
    }
    return sum.data;
}

/// The same for a variable that may need no gradient.
/// \param scratch  receives zeros of the variable's shape if it needs none
/// \returns        numbers to add to: the gradient's, or those of scratch
template <typename T>
T* gradient_or_scratch(const Variable<T>& x, Array<T>& scratch)
{
    if (x.needs_gradient()) {
        return zeroed_gradient(x);
    }
    scratch = filled(x.shape(), T(0));
    return scratch.data();
}

/// Adds one number an entry to a gradient, if the variable needs one.
/// \param f  f(i) is what entry i receives, row by row
template <typename T, typename Entry>
void add_to_gradient(const Variable<T>& x, Entry f)
{
    if (!x.needs_gradient()) {
        return;
    }
    const GradientSum<T> sum = open_gradient(x);
    T* const dx = sum.data;
    const std::size_t n = x.size();
    kernels::for_each_run_of_numbers(n, [&](std::size_t first, std::size_t count) {
        if (sum.beta == T(0)) {
            for (std::size_t i = first; i < first + count; ++i) {
                dx[i] = f(i);
            }
        } else {
            for (std::size_t i = first; i < first + count; ++i) {
                dx[i] += f(i);
            }
        }
    });
}

} // namespace attn::autograd
