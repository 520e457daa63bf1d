/// \file
/// \brief The same numbers in another arrangement: shapes, axes, parts and stacks. Deliberately
/// every result is an array of its own, row by row; nothing is a view of something else.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>
#include <vector>

namespace attn::autograd {

/// The same numbers under another shape.
/// \param x      any shape
/// \param shape  that holds as many numbers
/// \returns      of that shape
/// \throws ContractError naming both shapes if the numbers are not as many
template <typename T>
Variable<T> reshape(const Variable<T>& x, const Shape& shape);

/// The axes in another order.
/// \param x      any shape
/// \param order  [rank], each axis of x once: axis i of the result is axis order[i] of x
/// \returns      of the shape in that order
/// \throws ContractError naming the shape if the order does not hold each axis once
template <typename T>
Variable<T> permute(const Variable<T>& x, const std::vector<std::size_t>& order);

/// Two axes change places.
/// \param x         any shape
/// \param axis      from the front, or from the back if negative
/// \param with      the other one
/// \returns         of the shape with these two lengths exchanged
/// \throws ContractError if there is no such axis
template <typename T>
Variable<T> transpose(const Variable<T>& x, std::ptrdiff_t axis = -2, std::ptrdiff_t with = -1);

/// A part along one axis.
/// \param x      any shape
/// \param axis   from the front, or from the back if negative
/// \param begin  the first index
/// \param end    one behind the last, at least begin and at most the axis' length
/// \returns      the shape of x, but end - begin along that axis
/// \throws ContractError naming the shape if the part is not inside
template <typename T>
Variable<T> slice(const Variable<T>& x, std::ptrdiff_t axis, std::size_t begin,
                  std::size_t end);

/// One index along one axis, which disappears.
/// \param x      any shape
/// \param axis   from the front, or from the back if negative
/// \param index  below the axis' length
/// \returns      the shape of x without that axis
/// \throws ContractError naming the shape if the index is not inside
template <typename T>
Variable<T> select(const Variable<T>& x, std::ptrdiff_t axis, std::size_t index);

/// Several arrays one after the other along an axis they have.
/// \param parts  at least one; equal shapes but for that axis
/// \param axis   from the front, or from the back if negative
/// \returns      the shape of the parts, their lengths along that axis added up
/// \throws ContractError naming both shapes if two parts do not go together, or there is none
template <typename T>
Variable<T> concatenate(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis);

/// Several arrays side by side along a new axis.
/// \param parts  at least one, of equal shapes
/// \param axis   where the new axis stands in the result, or from the back if negative
/// \returns      the shape of a part with an axis as long as there are parts
/// \throws ContractError naming both shapes if two parts differ, or there is none
template <typename T>
Variable<T> stack(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis);

} // namespace attn::autograd
