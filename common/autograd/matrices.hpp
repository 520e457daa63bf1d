/// \file
/// \brief From matrices to variables and back: for pencil examples, whose tables are matrices.
/// Deliberately in double only.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/tensor/tensor.hpp"

#include <algorithm>
#include <span>

namespace attn::autograd {

/// A matrix' numbers, row by row, as a constant of a shape that holds as many.
/// \throws ContractError if the shape holds more or fewer
inline Variable<double> as_variable(const Matrix& matrix, const Shape& shape)
{
    return Variable<double>(
        array_of<double>(shape, std::span<const double>(matrix.data(), matrix.size())));
}

/// A variable's numbers as a matrix.
/// \param x  [n_rows, n_columns]
/// \returns  [n_rows, n_columns]
/// \throws ContractError if x has another rank
inline Matrix as_matrix(const Variable<double>& x)
{
    expect(x.rank() == 2, "as_matrix: x must have two axes, got shape {}", x.shape());
    Matrix matrix = Matrix::from_shape({x.shape()[0], x.shape()[1]});
    std::copy(x.value().begin(), x.value().end(), matrix.begin());
    return matrix;
}

} // namespace attn::autograd
