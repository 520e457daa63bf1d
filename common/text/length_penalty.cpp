/// \file
/// \brief The bodies of length_penalty.hpp.
#include "common/text/length_penalty.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::text {

namespace {

void expect_penalty_exponent(double alpha, const char* function)
{
    expect(alpha >= 0 && std::isfinite(alpha),
           "{}: alpha must be a finite number not below 0, got {}", function, alpha);
}

} // namespace

LengthPenalty no_length_penalty()
{
    return {"none", [](std::size_t) { return 1.0; }};
}

LengthPenalty gnmt_length_penalty(double alpha)
{
    expect_penalty_exponent(alpha, "gnmt_length_penalty");
    return {"gnmt", [alpha](std::size_t length) {
                return elementary::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
            }};
}

LengthPenalty power_length_penalty(double alpha)
{
    expect_penalty_exponent(alpha, "power_length_penalty");
    return {"power", [alpha](std::size_t length) {
                return elementary::pow(static_cast<double>(length), alpha);
            }};
}

} // namespace attn::text
