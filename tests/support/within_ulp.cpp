#include "tests/support/within_ulp.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace attn::testing {

namespace {

/// The distance between floats near a double that is no float's subnormal.
double ulp_at(double x)
{
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7FF0000000000000U) *
           0x1p-23;
}

bool is_right(double x, double y, double truth, const UlpLimits& limits)
{
    if (x >= limits.accurate_from) {
        return std::abs(y - truth) <= 2 * ulp_at(truth);
    }
    const double most = truth * (1 + 0x1p-22) + 0x1p-149; // rounded, be it to a subnormal
    return y >= 0 && y <= (x >= limits.zero_below ? most : 0);
}

} // namespace

std::size_t first_wrong_float(std::size_t n, const float* x, const float* y,
                              const double* truth, const UlpLimits& limits)
{
    // Count first: a loop without a way out takes many at a time.
    std::size_t n_wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        n_wrong +=
            is_right(static_cast<double>(x[i]), static_cast<double>(y[i]), truth[i], limits)
                ? 0U
                : 1U;
    }
    if (n_wrong == 0) {
        return n;
    }
    std::size_t i = 0;
    while (is_right(static_cast<double>(x[i]), static_cast<double>(y[i]), truth[i], limits)) {
        ++i;
    }
    return i;
}

} // namespace attn::testing
