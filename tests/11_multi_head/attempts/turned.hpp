/// \file
/// \brief Attempts at chapter 11's turning by place. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::multi_head::your_turn::turned_attempts {

/// Pairs turned by angles that a function gives.
template <typename Angle>
Vector by(const Vector& x, Angle angle)
{
    Vector y = x;
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        const double a = angle(static_cast<double>(j), static_cast<double>(x.size()));
        y(2 * j) = std::cos(a) * x(2 * j) - std::sin(a) * x(2 * j + 1);
        y(2 * j + 1) = std::sin(a) * x(2 * j) + std::cos(a) * x(2 * j + 1);
    }
    return y;
}

inline Vector right(const Vector& x, double place)
{
    return by(x, [&](double j, double d) { return place * std::pow(10000.0, -2 * j / d); });
}

inline Vector backwards(const Vector& x, double place)
{
    return right(x, -place);
}

inline Vector speed_of_j(const Vector& x, double place)
{
    return by(x, [&](double j, double d) { return place * std::pow(10000.0, -j / d); });
}

inline const testing::Attempts<Vector(const Vector&, double)>
    all("turned", {{"right", right, ""},
                   {"backwards", backwards, "towards the second"},
                   {"speed_of_j", speed_of_j, "two numbers make a pair"}});

} // namespace attn::multi_head::your_turn::turned_attempts
