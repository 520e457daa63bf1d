/// \file
/// \brief Solutions of exercises 3.1 to 3.3.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include <utility>

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

/// Exercise 3.2: any multiplicative score as two projections, the queries' being
/// \f$ W^\top \f$ and the keys' the identity.
/// \param W  [d_q, d_k]
/// \returns  W_q [d_k, d_q] and W_k [d_k, d_k], with \f$ W_q^\top W_k = W \f$
inline std::pair<Matrix, Matrix> two_projections(const Matrix& W)
{
    return {xt::transpose(W), xt::eye<double>(W.shape(1))};
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
