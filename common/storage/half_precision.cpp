#include "common/storage/half_precision.hpp"

#include <bit>
#include <cmath>

namespace attn::storage {

float float_of_f16(std::uint16_t bits)
{
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0) { // zero and the subnormal numbers: the mantissa in steps of 2^-24
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign == 0 ? magnitude : -magnitude;
    }
    // The exponent's bias is 15, a float's is 127; infinite and no number are all ones in both.
    const std::uint32_t exponent_of_float = exponent == 0x1f ? 0xff : exponent + (127 - 15);
    return std::bit_cast<float>(sign | exponent_of_float << 23 | mantissa << 13);
}

float float_of_bf16(std::uint16_t bits)
{
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::uint16_t bf16_of(float x)
{
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if (std::isnan(x)) {
        constexpr std::uint32_t quiet = 0x40; // a mantissa of zeros would be infinite
        return static_cast<std::uint16_t>(bits >> 16 | quiet);
    }
    // Half a unit of the last place less one is added, and one more if that place is odd. A carry
    // goes to the exponent, as it must.
    const std::uint32_t last_place = bits >> 16 & 1;
    return static_cast<std::uint16_t>((bits + 0x7fff + last_place) >> 16);
}

} // namespace attn::storage
