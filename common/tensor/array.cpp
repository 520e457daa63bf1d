#include "common/tensor/array.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace attn {

std::size_t size_of(const Shape& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::string to_text(const Shape& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::size_t axis_from(std::ptrdiff_t axis, std::size_t rank, const char* function)
{
    const auto signed_rank = static_cast<std::ptrdiff_t>(rank);
    expect(axis >= -signed_rank && axis < signed_rank,
           "{}: there is no axis {} in an array of rank {}", function, axis, rank);
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

template <typename T>
Array<T> array_of(const Shape& shape, std::span<const T> values)
{
    expect(values.size() == size_of(shape), "array_of: shape {} holds {} numbers, got {}",
           shape, size_of(shape), values.size());
    Array<T> array = uninitialised<T>(shape);
    std::copy(values.begin(), values.end(), array.data());
    return array;
}

template Array<float> array_of(const Shape&, std::span<const float>);
template Array<double> array_of(const Shape&, std::span<const double>);
template Array<std::int64_t> array_of(const Shape&, std::span<const std::int64_t>);

} // namespace attn
