/// \file
/// \brief A part of a whole, for the measures: deliberately not a number where there is no
/// whole, since a share of nothing is neither 0 nor 1.
#pragma once

#include <limits>

namespace attn::text {

/// A part of a whole.
/// \returns part / whole, or nan if the whole is 0
inline double share_of(double part, double whole)
{
    return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : part / whole;
}

} // namespace attn::text
