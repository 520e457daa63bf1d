/// \file
/// \brief The tensors of chapters 1 to 3: vectors, matrices and stacks of matrices of doubles,
/// with the rank in the type.
#pragma once

#include "common/tensor/xtensor.hpp"

#include <cstddef>

/// The tensors of the book and the checks of their shapes; a namespace inside for each chapter.
namespace attn {

/// A list of numbers, [n].
using Vector = xt::xtensor<double, 1>;

/// A table of numbers, [n_rows, n_columns], stored row by row.
using Matrix = xt::xtensor<double, 2>;

/// A stack of tables, [n_tables, n_rows, n_columns].
using Tensor3 = xt::xtensor<double, 3>;

/// A vector as a matrix of one column: how one-dimensional keys, queries and values
/// enter functions that take several dimensions.
/// \param values  [n]
/// \returns       [n, 1]
inline Matrix as_column(const Vector& values)
{
    return xt::view(values, xt::all(), xt::newaxis());
}

/// A vector as a matrix of one row: a single query, key or value.
/// \param values  [n]
/// \returns       [1, n]
inline Matrix as_row(const Vector& values)
{
    return xt::view(values, xt::newaxis(), xt::all());
}

/// One column of a matrix.
/// \param matrix  [n_rows, n_columns]
/// \param column  below n_columns
/// \returns       [n_rows]
inline Vector column_of(const Matrix& matrix, std::size_t column)
{
    return xt::view(matrix, xt::all(), column);
}

/// One row of a matrix, still as a matrix: a single query out of many.
/// \param matrix  [n_rows, n_columns]
/// \param row     below n_rows
/// \returns       [1, n_columns]
inline Matrix single_row(const Matrix& matrix, std::size_t row)
{
    return xt::view(matrix, xt::range(row, row + 1), xt::all());
}

} // namespace attn
