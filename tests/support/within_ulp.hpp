/// \file
/// \brief Many floats beside what they should be in double: for tests over every float there
/// is.
#pragma once

#include <cstddef>

namespace attn::testing {

/// What is asked of a function that becomes too small for a float.
struct UlpLimits
{
    double accurate_from; ///< from this x on, within 2 units in the last place
    double zero_below;    ///< below this x, exactly 0; in between, from 0 to the truth
};

/// Looks for floats that are further from the truth than they may be.
/// \param x      [n], where the function was asked
/// \param y      [n], what it said
/// \param truth  [n], the same in double, at least 0
/// \returns      the index of the first wrong one, or n
std::size_t first_wrong_float(std::size_t n, const float* x, const float* y,
                              const double* truth, const UlpLimits& limits);

} // namespace attn::testing
