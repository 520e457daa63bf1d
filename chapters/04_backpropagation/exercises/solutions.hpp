/// \file
/// \brief Solutions of the exercises of chapter 4 that are functions.
#pragma once

#include "chapters/04_backpropagation/experiments/width_minima.hpp"
#include "chapters/04_backpropagation/training.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <vector>

/// Solutions of the exercises of chapter 4.
namespace attn::backpropagation::solutions {

/// Exercise 4.1: the backward pass of the logarithm of a softmax,
/// \f$ ds_l = dy_l - \alpha_l \sum_j dy_j \f$.
/// \param weights       [n_queries, n_keys], the softmax itself, every row summing to 1
/// \param dlog_weights  [n_queries, n_keys], what arrives at the logarithms
/// \returns             [n_queries, n_keys]
/// \throws ContractError if the shapes differ
Matrix log_softmax_backward(const Matrix& weights, const Matrix& dlog_weights);

/// Exercise 4.1: the gradient of the mean cross-entropy \f$ -\ln \alpha_{i, r(i)} \f$ with
/// respect to the scores: weights minus one-hot, over the number of queries.
/// \param weights  [n_queries, n_keys]
/// \param right    [n_queries], the key that should have all the weight
/// \returns        [n_queries, n_keys]
/// \throws ContractError if there is not one key a query, or one is not in the table
Matrix cross_entropy_gradient(const Matrix& weights, const std::vector<std::size_t>& right);

/// Exercise 4.2: the derivative of a context with respect to the logarithm of the temperature of
/// \f$ \softmax(s / \tau) \f$: \f$ -\mathrm{Cov}_\alpha(v, s) / \tau \f$.
/// \param scores       [n_keys]
/// \param values       [n_keys, d_v]
/// \param temperature  above 0
/// \returns            [d_v]
/// \throws ContractError if there is not one value a key or the temperature is not positive
Vector derivative_of_log_temperature(const Vector& scores, const Matrix& values,
                                     double temperature);

/// Exercise 4.3: the derivative of the leave-one-out error with respect to the width's logarithm,
/// by hand, \f$ \frac2n \sum_i (f_i - y_i) \, \mathrm{Cov}_{\alpha_i}(y, u_i^2) \f$ with
/// \f$ u_{ij} = (x_i - x_j) / h \f$.
/// \param sample  keys and values [n], n >= 2
/// \param width   h > 0
/// \throws ContractError if the width is not positive or there are fewer than two keys
double derivative_of_log_width(const nadaraya_watson::Sample& sample, double width);

/// Exercise 4.4: the hill between two minima, where the error changes from rising to falling.
/// Small steps that start on either side of it end in different minima.
/// \throws ContractError unless 0 < left < right
double watershed(const WidthProblem& problem, const Minimum& left, const Minimum& right);

/// Exercise 4.6: the lesson with every number of a query divided by its standard deviation over
/// the examples to learn from. Only over these: what is to be tested must not be looked at.
Split standardised(const Split& split);

/// Exercise 4.7: the learning rate at which plain gradient descent goes as far in a step as one
/// with momentum does when the slope has long been the same.
/// \param rate      of the descent with momentum
/// \param momentum  from 0 to below 1
double lasting_rate(double rate, double momentum);

} // namespace attn::backpropagation::solutions
