/// \file
/// \brief Attempts at chapter 2's kernel. The first is right; each other makes one mistake.
#pragma once

#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>

namespace attn::nadaraya_watson::your_turn::epanechnikov_attempts {

inline double right(double u)
{
    return std::abs(u) < 1 ? 0.75 * (1 - u * u) : 0;
}

/// The triangular kernel.
inline double tent(double u)
{
    return std::max(0.0, 1 - std::abs(u));
}

/// The parabola goes on below zero.
inline double not_cut_off(double u)
{
    return 0.75 * (1 - u * u);
}

/// Cut off on the right only.
inline double cut_off_on_one_side(double u)
{
    return u < 1 ? 0.75 * (1 - u * u) : 0;
}

inline double not_scaled(double u)
{
    return right(u) * 4 / 3;
}

/// Multiplied by the area instead of divided.
inline double scaled_the_wrong_way(double u)
{
    return right(u) * 16 / 9;
}

inline double one_sided(double u)
{
    return u >= 0 ? right(u) : 0;
}

/// Grows with the distance.
inline double upside_down(double u)
{
    return std::abs(u) < 1 ? 1.5 * u * u : 0;
}

inline const testing::Attempts<double(double)>
    all("epanechnikov",
        {{"right", right, ""},
         {"tent", tent, "you wrote 1 - |u|, the triangular kernel"},
         {"not_cut_off", not_cut_off, "a kernel has to stop at 0"},
         {"cut_off_on_one_side", cut_off_on_one_side, "turns negative beyond 1"},
         {"not_scaled", not_scaled, "what has it to be multiplied by?"},
         {"scaled_the_wrong_way", scaled_the_wrong_way, "from -1 to 1 is 4/3"},
         {"one_sided", one_sided, "a key on the left and a key on the right"},
         {"upside_down", upside_down, "K(0) is the largest value"}});

} // namespace attn::nadaraya_watson::your_turn::epanechnikov_attempts
