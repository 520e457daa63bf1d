/// \file
/// \brief Arrays for the tests of operators. Deliberately no operator.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::testing {

/// An array of standard normal numbers, the same on every run.
/// \param shape   [rank]
/// \param stream  another number, another array
/// \returns       of that shape
inline Array<double> normal_array(const Shape& shape, std::uint64_t stream = 0)
{
    random::Generator generator(17, stream);
    Array<double> array(shape);
    for (double& x : numbers_of(array)) {
        x = generator.normal();
    }
    return array;
}

/// The same numbers as floats.
/// \param array  any
/// \returns      of its shape
inline Array<float> as_floats(const Array<double>& array)
{
    Array<float> floats(array.shape());
    for (std::size_t i = 0; i < array.size(); ++i) {
        floats.data()[i] = static_cast<float>(array.data()[i]);
    }
    return floats;
}

/// The numbers of an array as a list that tests can compare.
/// \param array  any
/// \returns      [size]
template <typename T>
std::vector<T> list_of(const Array<T>& array)
{
    return {array.data(), array.data() + array.size()};
}

/// A shape as a list that tests can compare and print.
/// \param shape  [rank]
/// \returns      [rank]
inline std::vector<std::size_t> lengths_of(const Shape& shape)
{
    return {shape.begin(), shape.end()};
}

} // namespace attn::testing
