/// \file
/// \brief Elementary functions and sums over lists of numbers, on the kernels in use
/// (kernels::execution()): what hot loops call instead of std::exp and its kin. Without shapes,
/// threads and fast-math: an infinity or a nan goes in, and what mathematics says comes out. T
/// is float or double. Two lists must be as long, else ContractError; results go to y, which is
/// x itself or memory that does not overlap it.
///
/// An element's result depends on the element alone: the same number gives the same bits at
/// any place of a list of any length. Errors are in units in the last place (ulp) of the exact
/// result; the tests hold them. They are stated for both types, and larger by a little on
/// processors without fused multiplication and addition.
#pragma once

#include <span>

/// Elementary functions over lists, on the vector unit.
namespace attn::vector_math {

/// e to the power of each element, within 1.5 ulp. A result below the smallest normal number
/// (x below -87.33 for float, -708.39 for double) is 0: arithmetic with subnormal numbers takes
/// many times as long, and what calls this adds the results up. exp(-inf) = 0, and more than
/// the type can hold is inf.
template <typename T>
void exp(std::span<const T> x, std::span<T> y);

/// The natural logarithm of each element, within 1.5 ulp. log(0) = -inf, of a negative number
/// nan.
template <typename T>
void log(std::span<const T> x, std::span<T> y);

/// The hyperbolic tangent of each element, within 3 ulp, also near 0: it is odd, and
/// tanh(x) = x for tiny x. tanh(inf) = 1.
template <typename T>
void tanh(std::span<const T> x, std::span<T> y);

/// The logistic function 1 / (1 + e^-x) of each element, within 3 ulp; where the result is
/// below the smallest normal number it may be 0. sigmoid(-inf) = 0, sigmoid(inf) = 1.
template <typename T>
void sigmoid(std::span<const T> x, std::span<T> y);

/// The error function of each element, within 2 ulp; it is odd, and erf(inf) = 1.
template <typename T>
void erf(std::span<const T> x, std::span<T> y);

/// e to the power of each element's distance from a shift, and the sum of these: a softmax but
/// for the division. The powers are those of exp and the sum is that of sum, bit for bit.
/// \param shift  subtracted from each element; if it is the largest, nothing overflows
/// \returns      the sum of y, 0 if n is 0
template <typename T>
T exp_of_difference(std::span<const T> x, T shift, std::span<T> y);

/// The largest element.
/// \returns   the largest of those that are no nan, -inf if there is none
template <typename T>
T maximum(std::span<const T> x);

/// The sum of all elements, added up in 16 parts (8 in double) that are folded in halves.
/// \returns   the sum, 0 if n is 0
template <typename T>
T sum(std::span<const T> x);

/// The inner product of two lists, added up in 16 parts (8 in double) that are folded in
/// halves.
/// \returns   the sum of all x_i y_i, 0 if n is 0
template <typename T>
T dot(std::span<const T> x, std::span<const T> y);

} // namespace attn::vector_math
