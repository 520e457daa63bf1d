/// \file
/// \brief Numbers of 16 bits, in which weights are kept at half the size: F16, the binary16 of
/// IEEE 754, and BF16, the upper half of a float. Deliberately conversions only, nothing is
/// computed in either.
#pragma once

#include <cstdint>

namespace attn::storage {

/// A number of F16: a sign, 5 bits of exponent, 10 of mantissa. Every one is a float.
/// \param bits  as the file has them
/// \returns     the same number; the sign and the bits of a NaN are kept
float float_of_f16(std::uint16_t bits);

/// A number of BF16: a sign, 8 bits of exponent, 7 of mantissa. Every one is a float.
/// \param bits  as the file has them
/// \returns     the same number; the sign and the bits of a NaN are kept
float float_of_bf16(std::uint16_t bits);

/// The number of BF16 that is nearest to a float, of two as near the even one.
/// \param x  any float; beyond the largest number it becomes infinite, and a NaN becomes a quiet
///           NaN of the same sign
/// \returns  its bits
std::uint16_t bf16_of(float x);

} // namespace attn::storage
