/// \file
/// \brief Many numbers into one: sums, means and maxima, of all entries, which gives a number of
/// rank 0, or along one axis, counted from the back if it is negative. The softmax has a file of
/// its own.
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
template <typename T>
Variable<T> sum(const Variable<T>& x);

/// The sum along one axis.
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> sum(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

/// The mean of all entries.
/// \throws ContractError naming the shape if there is no entry
template <typename T>
Variable<T> mean(const Variable<T>& x);

/// The mean along one axis.
/// \throws ContractError if there is no such axis, or it has length 0
template <typename T>
Variable<T> mean(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

/// The largest entry along one axis. Its gradient goes to that entry, the first of equal ones.
/// \throws ContractError if there is no such axis, or it has length 0
template <typename T>
Variable<T> maximum(const Variable<T>& x, std::ptrdiff_t axis, Axis left = Axis::dropped);

} // namespace attn::autograd
