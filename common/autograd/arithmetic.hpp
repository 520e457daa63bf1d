/// \file
/// \brief Sums, differences, products and quotients of variables, entry by entry. Shapes go
/// together if from the last axis on they are equal or one is 1, which is repeated: the result has
/// the shape that both are repeated to. The product of matrices is in matrix_product.hpp.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// a + b, entry by entry.
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> add(const Variable<T>& a, const Variable<T>& b);

/// a - b, entry by entry.
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> subtract(const Variable<T>& a, const Variable<T>& b);

/// a b, entry by entry.
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> multiply(const Variable<T>& a, const Variable<T>& b);

/// a / b, entry by entry: infinite or nan where b is 0.
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> divide(const Variable<T>& a, const Variable<T>& b);

/// factor x + offset, entry by entry, with two numbers.
template <typename T>
Variable<T> scale_and_shift(const Variable<T>& x, double factor, double offset);

/// x x, entry by entry.
template <typename T>
Variable<T> squared(const Variable<T>& x);

/// The square root, entry by entry: nan of a negative entry. Its slope at 0 is infinite.
template <typename T>
Variable<T> square_root(const Variable<T>& x);

/// \returns add(a, b)
template <typename T>
Variable<T> operator+(const Variable<T>& a, const Variable<T>& b)
{
    return add(a, b);
}

/// \returns subtract(a, b)
template <typename T>
Variable<T> operator-(const Variable<T>& a, const Variable<T>& b)
{
    return subtract(a, b);
}

/// \returns multiply(a, b)
template <typename T>
Variable<T> operator*(const Variable<T>& a, const Variable<T>& b)
{
    return multiply(a, b);
}

/// \returns divide(a, b)
template <typename T>
Variable<T> operator/(const Variable<T>& a, const Variable<T>& b)
{
    return divide(a, b);
}

/// \returns -x
template <typename T>
Variable<T> operator-(const Variable<T>& x)
{
    return scale_and_shift(x, -1.0, 0.0);
}

/// \returns factor x
template <typename T>
Variable<T> operator*(double factor, const Variable<T>& x)
{
    return scale_and_shift(x, factor, 0.0);
}

/// \returns x / divisor
template <typename T>
Variable<T> operator/(const Variable<T>& x, double divisor)
{
    return scale_and_shift(x, 1.0 / divisor, 0.0);
}

/// \returns x + offset
template <typename T>
Variable<T> operator+(const Variable<T>& x, double offset)
{
    return scale_and_shift(x, 1.0, offset);
}

/// \returns x - offset
template <typename T>
Variable<T> operator-(const Variable<T>& x, double offset)
{
    return scale_and_shift(x, 1.0, -offset);
}

/// \returns offset - x
template <typename T>
Variable<T> operator-(double offset, const Variable<T>& x)
{
    return scale_and_shift(x, -1.0, offset);
}

} // namespace attn::autograd
