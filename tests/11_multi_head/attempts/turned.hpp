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

inline Vector one_speed(const Vector& x, double place)
{
    return by(x, [&](double, double) { return place; });
}

inline Vector speed_of_j(const Vector& x, double place)
{
    return by(x, [&](double j, double d) { return place * std::pow(10000.0, -j / d); });
}

inline Vector speeds_rise(const Vector& x, double place)
{
    return by(x, [&](double j, double d) { return place * std::pow(10000.0, 2 * j / d); });
}

/// The sinusoids are added.
inline Vector added(const Vector& x, double place)
{
    Vector y = x;
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        const double a = place * std::pow(10000.0, -2.0 * static_cast<double>(j) /
                                                       static_cast<double>(x.size()));
        y(2 * j) += std::sin(a);
        y(2 * j + 1) += std::cos(a);
    }
    return y;
}

/// A reflection: the second line's sign is wrong.
inline Vector reflected(const Vector& x, double place)
{
    Vector y = right(x, place);
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        y(2 * j + 1) = -y(2 * j + 1);
    }
    return y;
}

/// The first number is overwritten before the second one is computed.
inline Vector in_place(const Vector& x, double place)
{
    Vector y = x;
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        const double a = place * std::pow(10000.0, -2.0 * static_cast<double>(j) /
                                                       static_cast<double>(x.size()));
        y(2 * j) = std::cos(a) * y(2 * j) - std::sin(a) * y(2 * j + 1);
        y(2 * j + 1) = std::sin(a) * y(2 * j) + std::cos(a) * y(2 * j + 1);
    }
    return y;
}

inline const testing::Attempts<Vector(const Vector&, double)>
    all("turned", {{"right", right, ""},
                   {"backwards", backwards, "towards the second"},
                   {"one_speed", one_speed, "each pair has a speed of its own"},
                   {"speed_of_j", speed_of_j, "two numbers make a pair"},
                   {"speeds_rise", speeds_rise, "the first pair turns fastest"},
                   {"added", added, "keeps its length"},
                   {"reflected", reflected, "place 0 leaves everything"},
                   {"in_place", in_place, "keeps its length"}});

} // namespace attn::multi_head::your_turn::turned_attempts
