/// \file
/// \brief The same numbers in another arrangement: shapes, axes, parts and stacks. Every result is
/// an array of its own, row by row; nothing is a view of something else. Axes are counted from the
/// front, or from the back if they are negative.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>
#include <vector>

namespace attn::autograd {

/// The same numbers under another shape.
/// \throws ContractError naming both shapes if the numbers are not as many
template <typename T>
Variable<T> reshape(const Variable<T>& x, const Shape& shape);

/// The axes in another order.
/// \param order  [rank], each axis of x once: axis i of the result is axis order[i] of x
/// \throws ContractError naming the shape if the order does not hold each axis once
template <typename T>
Variable<T> permute(const Variable<T>& x, const std::vector<std::size_t>& order);

/// Two axes change places.
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> transpose(const Variable<T>& x, std::ptrdiff_t axis = -2, std::ptrdiff_t with = -1);

/// A part along one axis.
/// \param begin  the first index
/// \param end    one behind the last, at least begin and at most the axis' length
/// \throws ContractError naming the shape if the part is not inside
template <typename T>
Variable<T> slice(const Variable<T>& x, std::ptrdiff_t axis, std::size_t begin,
                  std::size_t end);

/// One index along one axis, which disappears.
/// \throws ContractError naming the shape if the index is not inside
template <typename T>
Variable<T> select(const Variable<T>& x, std::ptrdiff_t axis, std::size_t index);

/// Several arrays one after the other along an axis they have.
/// \param parts  at least one; equal shapes but for that axis
/// \throws ContractError naming both shapes if two parts do not go together, or there is none
template <typename T>
Variable<T> concatenate(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis);

/// Several arrays side by side along a new axis.
/// \param parts  at least one, of equal shapes
/// \param axis   of the result
/// \throws ContractError naming both shapes if two parts differ, or there is none
template <typename T>
Variable<T> stack(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis);

} // namespace attn::autograd
