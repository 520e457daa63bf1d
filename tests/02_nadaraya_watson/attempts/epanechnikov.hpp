/// \file
/// \brief Attempts at chapter 2's kernel. The first is right; each other makes one mistake.
#pragma once

#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::nadaraya_watson::your_turn::epanechnikov_attempts {

inline double right(double u)
{
    return std::abs(u) < 1 ? 0.75 * (1 - u * u) : 0;
}

/// The parabola goes on below zero.
inline double not_cut_off(double u)
{
    return 0.75 * (1 - u * u);
}

inline double not_scaled(double u)
{
    return right(u) * 4 / 3;
}

inline const testing::Attempts<double(double)>
    all("epanechnikov", {{"right", right, ""},
                         {"not_cut_off", not_cut_off, "a kernel has to stop at 0"},
                         {"not_scaled", not_scaled, "what has it to be multiplied by?"}});

} // namespace attn::nadaraya_watson::your_turn::epanechnikov_attempts
