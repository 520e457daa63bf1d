/// \file
/// \brief Least squares: the linear map that no optimiser can improve upon, on the examples it is
/// made from. It tells what a linear layer can do from what Adam made of it.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/tasks.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

namespace attn::attention_versus_dense {

/// A linear map with an intercept, \f$ \hat y = x B + a \f$.
struct LinearMap
{
    Matrix coefficients; ///< B [n_features + 1, n_outputs], the intercept a last

    /// \param x  [n, n_features]
    /// \returns  [n, n_outputs]
    Array<float> operator()(const Matrix& x) const;
};

/// The map with the least squared error, by the normal equations and Cholesky's decomposition. A
/// column of x that is a linear map of those before it (or the intercept, if it is) has the
/// coefficient 0.
/// \param x  [n, n_features]
/// \param y  [n, n_outputs]
/// \throws ContractError if the shapes differ in n
LinearMap least_squares(const Matrix& x, const Array<float>& y);

/// The sequences as a dense layer over both gets them, [n, n_steps * n_features].
Matrix flattened(const Examples& examples);

/// The mean of each feature over the steps, [n, n_features].
Matrix means_of_steps(const Examples& examples);

} // namespace attn::attention_versus_dense
