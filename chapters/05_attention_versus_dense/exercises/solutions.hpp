/// \file
/// \brief Solutions of the exercises of chapter 5 that are functions.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <algorithm>
#include <cstddef>

/// Solutions of the exercises of chapter 5.
namespace attn::attention_versus_dense::solutions {

/// Exercise 5.1: how far apart scores must be allowed to lie for a given R^2 on the marked step,
///
/// \f[ \Delta = \frac12 \ln \frac{(T - 1) R^2}{1 - R^2} . \f]
///
/// \throws ContractError unless T >= 2 and R^2 lies between 1/T and 1
inline double range_needed(double r_squared, std::size_t n_steps)
{
    const auto others = static_cast<double>(n_steps) - 1;
    expect(n_steps >= 2 && r_squared > 1 / (others + 1) && r_squared < 1,
           "range_needed: R^2 must lie between 1 / {} and 1, got {}", n_steps, r_squared);
    return 0.5 * elementary::log(others * r_squared / (1 - r_squared));
}

/// Exercise 5.2: the layer without tanh and bias as chapter 1's attention: one query, W, over
/// keys and values that are the steps themselves.
/// \param X  one sequence [n_steps, n_features]
/// \param W  [n_features]
/// \returns  f [n_features]
/// \throws ContractError if W has not one number a feature
inline Vector as_lookup(const Matrix& X, const Vector& W)
{
    const Matrix query = as_row(W);
    const lookup::Attention attention =
        lookup::attend(query, X, X, lookup::dot_product,
                       [](const Matrix& scores) { return lookup::softmax(scores); });
    return xt::row(attention.context, 0);
}

/// Exercise 5.3: the dense layer over both that does what attention with constant weights and a
/// linear readout does, \f$ w_{tk} = \beta_t u_k \f$.
/// \param beta     [n_steps], the weights over time
/// \param readout  u [n_features]
/// \returns        w [n_steps, n_features]
inline Matrix dense_twin(const Vector& beta, const Vector& readout)
{
    return as_column(beta) * as_row(readout);
}

/// Exercise 5.4: the sequences with one feature more, the step's number over T. Attention
/// without b_t can then tell early from late.
/// \param X  [batch, n_steps, n_features]
/// \returns  [batch, n_steps, n_features + 1]: t / n_steps last, from 0 on
/// \throws ContractError if X has no three axes
inline Array<double> with_clock(const Array<double>& X)
{
    expect(X.dimension() == 3, "with_clock: X must be [batch, n_steps, n_features], got {}",
           X.shape());
    const std::size_t n_steps = X.shape()[1];
    const std::size_t n_features = X.shape()[2];
    Array<double> clocked(Shape{X.shape()[0], n_steps, n_features + 1});
    for (std::size_t row = 0; row < X.shape()[0] * n_steps; ++row) {
        double* const to = clocked.data() + row * (n_features + 1);
        std::copy_n(X.data() + row * n_features, n_features, to);
        to[n_features] = static_cast<double>(row % n_steps) / static_cast<double>(n_steps);
    }
    return clocked;
}

} // namespace attn::attention_versus_dense::solutions
