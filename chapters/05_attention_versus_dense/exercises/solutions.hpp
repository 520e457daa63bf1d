/// \file
/// \brief Solutions of the exercises of chapter 5 that are functions.
#pragma once

#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>

/// Solutions of the exercises of chapter 5.
namespace attn::attention_versus_dense::solutions {

/// Exercise 5.1: how far apart scores must be allowed to lie for a given R^2 on the marked step,
///
/// \f[ \Delta = \frac12 \ln \frac{(T - 1) R^2}{1 - R^2} . \f]
///
/// \param r_squared  above 1/T, below 1
/// \param n_steps    T, at least 2
/// \throws ContractError if one is not as stated
double range_needed(double r_squared, std::size_t n_steps);

/// Exercise 5.2: the layer without tanh and bias as chapter 1's attention: one query, W, over
/// keys and values that are the steps themselves.
/// \param X  one sequence [n_steps, n_features]
/// \param W  [n_features]
/// \returns  f [n_features]
/// \throws ContractError if W has not one number a feature
Vector as_lookup(const Matrix& X, const Vector& W);

/// Exercise 5.3: the dense layer over both that does what attention with constant weights and a
/// linear readout does, \f$ w_{tk} = \beta_t u_k \f$.
/// \param beta     [n_steps], the weights over time
/// \param readout  u [n_features]
/// \returns        w [n_steps, n_features]
Matrix dense_twin(const Vector& beta, const Vector& readout);

/// Exercise 5.4: the sequences with one feature more, the step's number over T. Attention
/// without b_t can then tell early from late.
/// \param X  [batch, n_steps, n_features]
/// \returns  [batch, n_steps, n_features + 1]: t / n_steps last, from 0 on
/// \throws ContractError if X has no three axes
Array<double> with_clock(const Array<double>& X);

} // namespace attn::attention_versus_dense::solutions
