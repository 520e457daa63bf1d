/// \file
/// \brief Numbers of 16 bits: all 65,536 of both kinds against what the formats say, and rounding
/// against the two neighbours between which a float lies.
#include "common/storage/half_precision.hpp"

#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace attn::storage;

namespace {

constexpr std::uint32_t n_values = 1u << 16;

/// The number that a format's bits mean (IEEE 754, section 3.4).
double defined_value(std::uint32_t bits, int n_exponent_bits, int n_mantissa_bits)
{
    const int bias = (1 << (n_exponent_bits - 1)) - 1;
    const int exponent =
        static_cast<int>(bits >> n_mantissa_bits) & ((1 << n_exponent_bits) - 1);
    const int mantissa = static_cast<int>(bits) & ((1 << n_mantissa_bits) - 1);
    const double sign = bits >> 15 == 0 ? 1.0 : -1.0;
    if (exponent == (1 << n_exponent_bits) - 1) {
        return sign * (mantissa == 0 ? std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::quiet_NaN());
    }
    return exponent == 0 ? sign * std::ldexp(mantissa, 1 - bias - n_mantissa_bits)
                         : sign * std::ldexp(mantissa + (1 << n_mantissa_bits),
                                             exponent - bias - n_mantissa_bits);
}

/// Whether a float is a number of a format, its zero's sign and its NaN's sign and bits included.
bool agrees(float found, std::uint32_t bits, int n_exponent_bits, int n_mantissa_bits)
{
    const double wanted = defined_value(bits, n_exponent_bits, n_mantissa_bits);
    if (std::signbit(found) != (bits >> 15 != 0)) {
        return false;
    }
    const std::uint32_t mantissa = bits & ((1u << n_mantissa_bits) - 1);
    return std::isnan(wanted) ? (std::bit_cast<std::uint32_t>(found) & 0x7fffffu) ==
                                        mantissa << (23 - n_mantissa_bits) &&
                                    std::isnan(found)
                              : static_cast<double>(found) == wanted;
}

/// A positive number of BF16 as if the exponent had no upper end.
double unbounded_bf16(std::uint32_t bits)
{
    return bits == 0x7f80 ? 0x1p128 : defined_value(bits, 8, 7);
}

/// The nearest number of BF16 to a positive float, by comparison with its two neighbours.
std::uint32_t nearest_by_definition(float x)
{
    std::uint32_t below = 0; // the largest number that is not above x
    for (std::uint32_t step = 0x4000; step > 0; step /= 2) {
        if (below + step < 0x7f80 && unbounded_bf16(below + step) <= static_cast<double>(x)) {
            below += step;
        }
    }
    const double down = static_cast<double>(x) - unbounded_bf16(below);
    const double up = unbounded_bf16(below + 1) - static_cast<double>(x);
    return down < up || (down == up && below % 2 == 0) ? below : below + 1;
}

} // namespace

TEST_CASE("each of the 65,536 numbers of F16 is the float that the format defines", "[storage]")
{
    std::uint32_t n_wrong = 0;
    for (std::uint32_t bits = 0; bits < n_values; ++bits) {
        n_wrong += agrees(float_of_f16(static_cast<std::uint16_t>(bits)), bits, 5, 10) ? 0 : 1;
    }
    CHECK(n_wrong == 0);
    CHECK(float_of_f16(0x3c00) == 1.0f); // and a few by hand
    CHECK(float_of_f16(0xc000) == -2.0f);
    CHECK(float_of_f16(0x7bff) == 65504.0f);
    CHECK(float_of_f16(0x0001) == 0x1p-24f);
    CHECK(float_of_f16(0x0400) == 0x1p-14f);
}

TEST_CASE("each of the 65,536 numbers of BF16 is the float that the format defines",
          "[storage]")
{
    std::uint32_t n_wrong = 0;
    for (std::uint32_t bits = 0; bits < n_values; ++bits) {
        n_wrong += agrees(float_of_bf16(static_cast<std::uint16_t>(bits)), bits, 8, 7) ? 0 : 1;
    }
    CHECK(n_wrong == 0);
    CHECK(float_of_bf16(0x3f80) == 1.0f);
    CHECK(float_of_bf16(0x4049) == 3.140625f);
}

TEST_CASE("a number of BF16 comes back from the float that it is", "[storage][property]")
{
    std::uint32_t n_wrong = 0;
    for (std::uint32_t bits = 0; bits < n_values; ++bits) {
        const auto number = static_cast<std::uint16_t>(bits);
        const bool is_nan = (bits & 0x7f80) == 0x7f80 && (bits & 0x7f) != 0;
        const std::uint32_t wanted = is_nan ? bits | 0x40 : bits; // a NaN becomes quiet
        n_wrong += bf16_of(float_of_bf16(number)) == wanted ? 0 : 1;
    }
    CHECK(n_wrong == 0);
}

TEST_CASE("a float becomes the nearest number of BF16, of two as near the even one",
          "[storage]")
{
    const float one = 1.0f;
    const float step = 0x1p-7f; // of BF16 above 1
    CHECK(bf16_of(one + step / 2) == 0x3f80);
    CHECK(bf16_of(one + step + step / 2) == 0x3f82);
    CHECK(bf16_of(std::nextafter(one + step / 2, 2.0f)) == 0x3f81);
    CHECK(bf16_of(std::nextafter(one + step + step / 2, 1.0f)) == 0x3f81);
    CHECK(bf16_of(std::numeric_limits<float>::max()) == 0x7f80); // infinite
    CHECK(bf16_of(std::numeric_limits<float>::denorm_min()) == 0);
    CHECK(bf16_of(-0.0f) == 0x8000);

    attn::random::Generator rng(1);
    std::uint32_t n_wrong = 0;
    for (int trial = 0; trial < 100'000; ++trial) {
        auto bits = static_cast<std::uint32_t>(rng.below(0x7f800000u));
        if (trial % 2 == 0) {
            bits = (bits & 0xffff0000u) | 0x8000u; // half way between two
        }
        const std::uint32_t wanted = nearest_by_definition(std::bit_cast<float>(bits));
        n_wrong += bf16_of(std::bit_cast<float>(bits)) == wanted ? 0 : 1;
        n_wrong += bf16_of(-std::bit_cast<float>(bits)) == (wanted | 0x8000u) ? 0 : 1;
    }
    CHECK(n_wrong == 0);
}

TEST_CASE("what is no number stays none in BF16, wherever its bits are", "[storage]")
{
    for (const std::uint32_t bits :
         {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0x7f80ffffu, 0xff800001u, 0xffffffffu}) {
        CAPTURE(bits);
        const std::uint16_t found = bf16_of(std::bit_cast<float>(bits));
        CHECK(std::isnan(float_of_bf16(found)));
        CHECK((found & 0x40) != 0); // quiet
        CHECK(found >> 15 == bits >> 31);
    }
    CHECK(bf16_of(-std::numeric_limits<float>::infinity()) == 0xff80);
}
