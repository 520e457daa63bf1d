/// \file
/// \brief The arrays that train: any rank, float or double, row by row, their memory from the
/// pool.
#pragma once

#include "common/tensor/pool_allocator.hpp"
#include "common/tensor/xtensor.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

namespace attn {

/// An array of any rank, stored row by row without gaps. A default-made one holds one number:
/// its rank is 0.
template <typename T>
using Array = xt::xarray<T, xt::layout_type::row_major, PoolAllocator<T>>;

/// The lengths of an array's axes, the same type for every T.
using Shape = Array<float>::shape_type;
static_assert(std::is_same_v<Shape, Array<double>::shape_type>);

/// How many numbers an array of a shape holds.
/// \returns the product; 1 for rank 0
std::size_t size_of(const Shape& shape);

/// A shape as it is written on the page.
/// \returns for instance "[2, 3]"
std::string to_text(const Shape& shape);

/// An axis counted from the front or, if negative, from the back.
/// \param axis  -rank to rank - 1
/// \returns     0 to rank - 1
/// \throws ContractError if there is no such axis
std::size_t axis_from(std::ptrdiff_t axis, std::size_t rank, const char* function);

/// An array whose numbers are not initialised.
template <typename T>
Array<T> uninitialised(const Shape& shape)
{
    return Array<T>(shape);
}

/// An array of one number, repeated.
template <typename T>
Array<T> filled(const Shape& shape, T value)
{
    return Array<T>(shape, value);
}

/// An array of given numbers.
/// \param values  as many as the shape holds, row by row
/// \throws ContractError if there are more or fewer
template <typename T>
Array<T> array_of(const Shape& shape, std::span<const T> values);

/// An array of given numbers.
/// \param values  as many as the shape holds, row by row
/// \throws ContractError if there are more or fewer
template <typename T>
Array<T> array_of(const Shape& shape, std::initializer_list<T> values)
{
    return array_of<T>(shape, std::span<const T>(values.begin(), values.size()));
}

/// The numbers of an array, row by row.
/// \returns [size]
template <typename T>
std::span<T> numbers_of(Array<T>& array)
{
    return {array.data(), array.size()};
}

/// The numbers of an array, row by row.
/// \returns [size]
template <typename T>
std::span<const T> numbers_of(const Array<T>& array)
{
    return {array.data(), array.size()};
}

/// Not of an array without a name: the numbers would be gone before they are looked at.
template <typename T>
std::span<const T> numbers_of(const Array<T>&& array) = delete;

} // namespace attn

/// \cond FMT_SPECIALISATION
/// Shapes in messages: "[2, 3]". Written only if the message is.
template <>
struct fmt::formatter<attn::Shape>
{
    constexpr auto parse(fmt::format_parse_context& context) const { return context.begin(); }

    template <typename Context>
    auto format(const attn::Shape& shape, Context& context) const
    {
        const std::string text = attn::to_text(shape);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
/// \endcond
