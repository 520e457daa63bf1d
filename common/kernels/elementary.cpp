#include "common/kernels/elementary.hpp"

#include "common/kernels/elementary_of_one.hpp"

#include <stdexcept>

namespace attn::elementary {

namespace {

/// The functions for this processor.
const kernels::ElementaryOfOne& chosen()
{
#if defined(__x86_64__)
    static const bool has_fma = __builtin_cpu_supports("fma") != 0;
    return has_fma ? kernels::elementary_fma : kernels::elementary_baseline;
#else
    return kernels::elementary_baseline; // fused instructions are part of the base
#endif
}

double expect_reducible(double angle)
{
    if (angle > 0x1p30 || angle < -0x1p30) {
        throw std::domain_error("elementary: an angle must be from -2^30 to 2^30");
    }
    return angle;
}

} // namespace

float exp(float x)
{
    return chosen().exp_float(x);
}

double exp(double x)
{
    return chosen().exp(x);
}

float log(float x)
{
    return chosen().log_float(x);
}

double log(double x)
{
    return chosen().log(x);
}

double log1p(double x)
{
    return chosen().log1p(x);
}

float tanh(float x)
{
    return chosen().tanh_float(x);
}

double tanh(double x)
{
    return chosen().tanh(x);
}

double pow(double x, double y)
{
    return chosen().pow(x, y);
}

double power(double x, std::int64_t n)
{
    const bool inverse = n < 0;
    auto left = inverse ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    double result = 1;
    for (double square = x; left > 0; square *= square, left /= 2) {
        if (left % 2 == 1) {
            result *= square;
        }
    }
    return inverse ? 1 / result : result;
}

double sin(double x)
{
    return chosen().sin(expect_reducible(x));
}

double cos(double x)
{
    return chosen().cos(expect_reducible(x));
}

double hypot(double x, double y)
{
    return chosen().hypot(x, y);
}

} // namespace attn::elementary
