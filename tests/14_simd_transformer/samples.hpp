/// \file
/// \brief What the tests of chapter 14 are written with: random numbers, the bits of a float, and
/// how far two arrays are apart.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attn::testing {

/// Numbers from a normal distribution.
/// \param stream  another number, other numbers
/// \param scale   their standard deviation
inline Array<float> random_numbers(const Shape& shape, std::uint64_t stream, double scale = 1.0)
{
    random::Generator generator(14, stream);
    Array<float> x(shape);
    for (float& number : x) {
        number = static_cast<float>(scale * generator.normal());
    }
    return x;
}

/// The bits of a float as a number: those of floats below zero follow each other away from it.
constexpr std::uint32_t bits_of(float x)
{
    return std::bit_cast<std::uint32_t>(x);
}

/// The largest difference, as a part of the largest number or of 1.
/// \param x  what was computed
/// \param y  of the same shape, what is right
/// \returns  infinity if there is a nan
template <typename T>
double difference(const Array<float>& x, const Array<T>& y)
{
    REQUIRE(x.shape() == y.shape());
    double largest = 1.0;
    double apart = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto right = static_cast<double>(y.data()[i]);
        largest = std::max(largest, std::abs(right));
        const double here = std::abs(static_cast<double>(x.data()[i]) - right);
        apart =
            std::isnan(here) ? std::numeric_limits<double>::infinity() : std::max(apart, here);
    }
    return apart / largest;
}

} // namespace attn::testing
