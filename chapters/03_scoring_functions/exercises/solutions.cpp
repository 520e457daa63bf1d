#include "chapters/03_scoring_functions/exercises/solutions.hpp"

namespace attn::scoring_functions::solutions {

namespace {

/// Rows with one more number behind each.
Matrix with_column(const Matrix& rows, const Vector& column)
{
    return xt::concatenate(xt::xtuple(rows, as_column(column)), 1);
}

} // namespace

Matrix longer_queries(const Matrix& queries)
{
    return with_column(queries, xt::ones<double>({queries.shape(0)}));
}

Matrix longer_keys(const Matrix& keys)
{
    const Vector bias = -0.5 * xt::sum(xt::square(keys), {1}); // [n_keys]
    return with_column(keys, bias);
}

Matrix projected(const Matrix& queries, const Matrix& keys, const Matrix& U, const Matrix& V)
{
    return lookup::dot_product(lookup::dot_product(queries, U), lookup::dot_product(keys, V));
}

Matrix matrix_of_projected(const Matrix& U, const Matrix& V)
{
    const Matrix U_transposed = xt::transpose(U); // [d_q, n_common]
    const Matrix V_transposed = xt::transpose(V); // [d_k, n_common]
    return lookup::dot_product(U_transposed, V_transposed);
}

Additive without_bias(const Additive& parameters)
{
    Additive equal = parameters;
    equal.W_q += as_column(parameters.b);
    equal.b.fill(0);
    return equal;
}

} // namespace attn::scoring_functions::solutions
