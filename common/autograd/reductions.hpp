/// \file
/// \brief Many numbers into one: sums, means and maxima, of all entries or along one axis.
/// Deliberately not the softmax, which has a file of its own.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>

namespace attn::autograd {

/// Whether an axis that was summed over is left, with length 1.
enum class Axis
{
    dropped, ///< it disappears
    kept     ///< it stays, with length 1, so that the result goes together with what it is of
};

/// The sum of all entries.
/// \param x  any shape
/// \returns  one number, of rank 0
template <typename T>
Variable<T> sum(const Variable<T>& x);

/// The sum along one axis.
/// \param x     any shape
/// \param axis  from the front, or from the back if negative
/// \param left  whether the axis stays with length 1
/// \returns     the shape of x without that axis, or with length 1 there
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> sum(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

/// The mean of all entries.
/// \param x  at least one entry
/// \returns  one number, of rank 0
/// \throws ContractError naming the shape if there is no entry
template <typename T>
Variable<T> mean(const Variable<T>& x);

/// The mean along one axis.
/// \param x     any shape
/// \param axis  from the front, or from the back if negative; at least 1 long
/// \param left  whether the axis stays with length 1
/// \returns     the shape of x without that axis, or with length 1 there
/// \throws ContractError if there is no such axis, or it has length 0
template <typename T>
Variable<T> mean(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

/// The largest entry along one axis. Its gradient goes to that entry, the first of equal ones.
/// \param x     any shape
/// \param axis  from the front, or from the back if negative; at least 1 long
/// \param left  whether the axis stays with length 1
/// \returns     the shape of x without that axis, or with length 1 there
/// \throws ContractError if there is no such axis, or it has length 0
template <typename T>
Variable<T> maximum(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

} // namespace attn::autograd
