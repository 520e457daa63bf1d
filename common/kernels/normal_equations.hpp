/// \file
/// \brief What least squares and ridge regression are made of: A^T B, and the solution of a
/// symmetric system by Cholesky's decomposition.
#pragma once

#include "common/tensor/tensor.hpp"

namespace attn {

/// \f$ A^\top B \f$ for A [n, k] and B [n, m].
/// \returns [k, m]
/// \throws ContractError if A and B do not have as many rows
Matrix transposed_product(const Matrix& a, const Matrix& b);

/// Solves A X = B for a symmetric A [n, n] without negative eigenvalues, of which only the lower
/// half is read, and B [n, m]. A row of A that depends on those before it, its pivot below
/// \f$ 10^{-10} \f$ of its diagonal number, has the solution 0.
/// \returns X [n, m]
/// \throws ContractError if the shapes do not fit or A has a negative pivot
Matrix solve_symmetric(Matrix a, Matrix b);

} // namespace attn
