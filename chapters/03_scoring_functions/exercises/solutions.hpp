/// \file
/// \brief Solutions of exercises 3.1 to 3.3.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"

/// Solutions of the exercises of chapter 3.
namespace attn::scoring_functions::solutions {

/// Rows with one more number behind each.
inline Matrix with_column(const Matrix& rows, const Vector& column)
{
    return xt::concatenate(xt::xtuple(rows, as_column(column)), 1);
}

/// Exercise 3.1: queries with a 1 behind their numbers.
inline Matrix longer_queries(const Matrix& queries)
{
    return with_column(queries, xt::ones<double>({queries.shape(0)}));
}

/// Exercise 3.1: keys with minus half their squared length behind their numbers, so that
/// their dot products with longer_queries() order them by distance.
inline Matrix longer_keys(const Matrix& keys)
{
    const Vector bias = -0.5 * xt::sum(xt::square(keys), {1}); // [n_keys]
    return with_column(keys, bias);
}

/// Exercise 3.2: queries and keys each mapped to a space of their own making, and compared
/// there by the dot product, \f$ (U q_i) \cdot (V k_j) \f$. It is the multiplicative score
/// with \f$ W = U^\top V \f$.
/// \param U        [n_common, d_q]
/// \param V        [n_common, d_k]
/// \throws ContractError if U or V does not fit
inline Matrix projected(const Matrix& queries, const Matrix& keys, const Matrix& U,
                        const Matrix& V)
{
    return lookup::dot_product(lookup::dot_product(queries, U), lookup::dot_product(keys, V));
}

/// Exercise 3.2: the matrix of the multiplicative score that equals projected().
/// \param U  [n_common, d_q]
/// \param V  [n_common, d_k]
/// \returns  \f$ W = U^\top V \f$, [d_q, d_k], of rank at most n_common
/// \throws ContractError if U and V have different numbers of rows
inline Matrix matrix_of_projected(const Matrix& U, const Matrix& V)
{
    const Matrix U_transposed = xt::transpose(U); // [d_q, n_common]
    const Matrix V_transposed = xt::transpose(V); // [d_k, n_common]
    return lookup::dot_product(U_transposed, V_transposed);
}

/// Exercise 3.3: for queries whose numbers sum to 1, the same score without its bias, which is
/// added to every entry of its unit's row of W_q.
inline Additive without_bias(const Additive& parameters)
{
    Additive equal = parameters;
    equal.W_q += as_column(parameters.b);
    equal.b.fill(0);
    return equal;
}

} // namespace attn::scoring_functions::solutions
