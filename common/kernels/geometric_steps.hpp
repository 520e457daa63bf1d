/// \file
/// \brief Positive numbers over several orders of magnitude: the temperatures and widths that a
/// chapter tries.
#pragma once

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cstddef>

namespace attn {

/// Numbers from one to another, each the same factor above the one before.
/// \param first  positive
/// \param last   positive
/// \param n      at least 2
/// \returns      [n], first and last included
/// \throws ContractError if an end is not positive and finite, or n is below 2
inline Vector geometric_steps(double first, double last, std::size_t n)
{
    expect_positive(first, "geometric_steps", "first");
    expect_positive(last, "geometric_steps", "last");
    expect(n >= 2, "geometric_steps: n must be at least 2, got {}", n);
    Vector steps = xt::linspace<double>(elementary::log(first), elementary::log(last), n);
    for (double& step : steps) {
        step = elementary::exp(step);
    }
    return steps;
}

} // namespace attn
