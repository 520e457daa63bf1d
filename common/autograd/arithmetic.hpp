/// \file
/// \brief Sums, differences, products and quotients of variables, entry by entry. Shapes may
/// differ where an axis of length 1 can be repeated. Deliberately not the product of matrices.
#pragma once

#include "common/autograd/tape.hpp"

namespace attn::autograd {

/// a + b, entry by entry.
/// \param a  any shape
/// \param b  a shape that goes together with it: axes from the last on are equal, or one is 1
/// \returns  of the shape that both are repeated to
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> add(const Variable<T>& a, const Variable<T>& b);

/// a - b, entry by entry.
/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  of the shape that both are repeated to
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> subtract(const Variable<T>& a, const Variable<T>& b);

/// a b, entry by entry.
/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  of the shape that both are repeated to
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> multiply(const Variable<T>& a, const Variable<T>& b);

/// a / b, entry by entry.
/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  of the shape that both are repeated to; infinite or nan where b is 0
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> divide(const Variable<T>& a, const Variable<T>& b);

/// factor x + offset, entry by entry, with two numbers.
/// \param x       any shape
/// \param factor  the number to multiply with
/// \param offset  the number to add
/// \returns       of the shape of x
template <typename T>
Variable<T> scale_and_shift(const Variable<T>& x, double factor, double offset);

/// x x, entry by entry.
/// \param x  any shape
/// \returns  of the shape of x
template <typename T>
Variable<T> squared(const Variable<T>& x);

/// The square root, entry by entry. Its slope at 0 is infinite.
/// \param x  any shape; nan where an entry is negative
/// \returns  of the shape of x
template <typename T>
Variable<T> square_root(const Variable<T>& x);

/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  add(a, b)
template <typename T>
Variable<T> operator+(const Variable<T>& a, const Variable<T>& b)
{
    return add(a, b);
}

/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  subtract(a, b)
template <typename T>
Variable<T> operator-(const Variable<T>& a, const Variable<T>& b)
{
    return subtract(a, b);
}

/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  multiply(a, b)
template <typename T>
Variable<T> operator*(const Variable<T>& a, const Variable<T>& b)
{
    return multiply(a, b);
}

/// \param a  any shape
/// \param b  a shape that goes together with it
/// \returns  divide(a, b)
template <typename T>
Variable<T> operator/(const Variable<T>& a, const Variable<T>& b)
{
    return divide(a, b);
}

/// \param x  any shape
/// \returns  -x
template <typename T>
Variable<T> operator-(const Variable<T>& x)
{
    return scale_and_shift(x, -1.0, 0.0);
}

/// \param factor  a number
/// \param x       any shape
/// \returns       factor x
template <typename T>
Variable<T> operator*(double factor, const Variable<T>& x)
{
    return scale_and_shift(x, factor, 0.0);
}

/// \param x        any shape
/// \param divisor  a number
/// \returns        x / divisor
template <typename T>
Variable<T> operator/(const Variable<T>& x, double divisor)
{
    return scale_and_shift(x, 1.0 / divisor, 0.0);
}

/// \param x       any shape
/// \param offset  a number
/// \returns       x + offset
template <typename T>
Variable<T> operator+(const Variable<T>& x, double offset)
{
    return scale_and_shift(x, 1.0, offset);
}

/// \param x       any shape
/// \param offset  a number
/// \returns       x - offset
template <typename T>
Variable<T> operator-(const Variable<T>& x, double offset)
{
    return scale_and_shift(x, 1.0, -offset);
}

/// \param offset  a number
/// \param x       any shape
/// \returns       offset - x
template <typename T>
Variable<T> operator-(double offset, const Variable<T>& x)
{
    return scale_and_shift(x, -1.0, offset);
}

} // namespace attn::autograd
