/// \file
/// \brief Elementary functions of one number, in place of those of the standard library, whose last
/// digits differ from one library and processor to the next. Deliberately without functions of
/// lists (vector_math.hpp has them) and without float where nobody asks.
///
/// The bits of a result depend on the arguments alone. Without fused multiplication and addition
/// in the processor they are the same, and computing them takes many times as long. Errors are in
/// units in the last place (ulp) of the exact result; the tests hold them against values that were
/// computed with 60 digits.
#pragma once

#include <cstdint>

/// Elementary functions of one number, with the same bits on every processor.
namespace attn::elementary {

/// e to the power of x within 1.1 ulp, with the bits that vector_math::exp gives it in a list; 0
/// where that is below the smallest normal number.
float exp(float x);
/// The same in double, within 1 ulp.
double exp(double x);

/// The natural logarithm within 1 ulp, with the bits that vector_math::log gives it in a list; -inf
/// of 0, nan of a negative number.
float log(float x);
/// The same in double.
double log(double x);

/// The natural logarithm of 1 + x within 2 ulp, also for x near 0; -inf of -1, nan below.
double log1p(double x);

/// The hyperbolic tangent within 3 ulp, with the bits that vector_math::tanh gives it in a list.
float tanh(float x);
/// The same in double.
double tanh(double x);

/// A power of a number that is not negative. A whole power is `power`'s affair.
/// \param x  base; of a negative one the result is nan, unless y is 0
/// \param y  exponent
/// \returns  x^y within 1 ulp; 1 if y is 0 or x is 1
double pow(double x, double y);

/// A whole power, by squares and products: at most 2 log2 n of them.
/// \param n  exponent; of a negative one the result is 1 / x^-n
/// \returns  x^n, within n ulp; exact where every power up to it is, so powers of ten up
///           to 10^22 are
double power(double x, std::int64_t n);

/// The sine.
/// \param x  angle in radians, from -2^30 to 2^30
/// \returns  sin x within 1 ulp
/// \throws std::domain_error if the angle is larger
double sin(double x);

/// The cosine.
/// \param x  angle in radians, from -2^30 to 2^30
/// \returns  cos x within 1 ulp
/// \throws std::domain_error if the angle is larger
double cos(double x);

/// The length of the vector (x, y); nothing in between overflows or gets lost.
/// \returns  the root of x^2 + y^2 within 1 ulp; inf if one of them is infinite
double hypot(double x, double y);

} // namespace attn::elementary
