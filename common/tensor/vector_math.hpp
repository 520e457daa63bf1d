/// \file
/// \brief Functions of many numbers at a time, over spans. For now the standard library's, one
/// number after the other. Deliberately no shapes: whoever holds an array passes its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

/// Functions of many numbers at a time.
namespace attn::vector_math {

/// y = e^x.
/// \param x  [n]
/// \param y  [n], may be x
template <typename T>
void exp(std::span<const T> x, std::span<T> y)
{
    std::transform(x.begin(), x.end(), y.begin(), [](T v) { return std::exp(v); });
}

/// y = log x.
/// \param x  [n]
/// \param y  [n], may be x
template <typename T>
void log(std::span<const T> x, std::span<T> y)
{
    std::transform(x.begin(), x.end(), y.begin(), [](T v) { return std::log(v); });
}

/// y = tanh x.
/// \param x  [n]
/// \param y  [n], may be x
template <typename T>
void tanh(std::span<const T> x, std::span<T> y)
{
    std::transform(x.begin(), x.end(), y.begin(), [](T v) { return std::tanh(v); });
}

/// y = 1 / (1 + e^-x).
/// \param x  [n]
/// \param y  [n], may be x
template <typename T>
void sigmoid(std::span<const T> x, std::span<T> y)
{
    std::transform(x.begin(), x.end(), y.begin(),
                   [](T v) { return T(1) / (T(1) + std::exp(-v)); });
}

/// y = erf x.
/// \param x  [n]
/// \param y  [n], may be x
template <typename T>
void erf(std::span<const T> x, std::span<T> y)
{
    std::transform(x.begin(), x.end(), y.begin(), [](T v) { return std::erf(v); });
}

/// The sum of all numbers.
/// \param x  [n]
/// \returns  0 for none
template <typename T>
T sum(std::span<const T> x)
{
    T total = 0;
    for (const T v : x) {
        total += v;
    }
    return total;
}

/// The largest of all numbers.
/// \param x  [n]
/// \returns  -infinity for none
template <typename T>
T maximum(std::span<const T> x)
{
    T largest = -std::numeric_limits<T>::infinity();
    for (const T v : x) {
        largest = std::max(largest, v);
    }
    return largest;
}

/// The sum of the products.
/// \param x  [n]
/// \param y  [n]
/// \returns  0 for none
template <typename T>
T dot(std::span<const T> x, std::span<const T> y)
{
    T total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        total += x[i] * y[i];
    }
    return total;
}

/// y = e^(x - shift), and the sum of that.
/// \param x      [n]
/// \param shift  finite
/// \param y      [n], may be x
/// \returns      the sum of y
template <typename T>
T exp_of_difference(std::span<const T> x, T shift, std::span<T> y)
{
    T total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = std::exp(x[i] - shift);
        total += y[i];
    }
    return total;
}

} // namespace attn::vector_math
