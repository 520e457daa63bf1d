/// \file
/// \brief Solutions of the exercises of chapter 4 that are functions. Deliberately not used by
/// any other chapter.
#pragma once

#include "chapters/04_backpropagation/kernel_width.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <vector>

/// Solutions of the exercises of chapter 4.
namespace attn::backpropagation::solutions {

/// Exercise 4.1: the way back through the logarithm of a softmax,
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
Matrix cross_entropy_slopes(const Matrix& weights, const std::vector<std::size_t>& right);

/// Exercise 4.2: how a context answers to the logarithm of the temperature of
/// \f$ \softmax(s / \tau) \f$: \f$ -\mathrm{Cov}_\alpha(v, s) / \tau \f$.
/// \param scores       [n_keys]
/// \param values       [n_keys, d_v]
/// \param temperature  above 0
/// \returns            [d_v]
/// \throws ContractError if there is not one value a key or the temperature is not positive
Vector slope_of_log_temperature(const Vector& scores, const Matrix& values, double temperature);

/// Exercise 4.3: the slope of the leave-one-out error with respect to the width's logarithm,
/// by hand, \f$ \frac2n \sum_i (f_i - y_i) \, \mathrm{Cov}_{\alpha_i}(y, u_i^2) \f$ with
/// \f$ u_{ij} = (x_i - x_j) / h \f$.
/// \param sample  keys and values [n], n >= 2
/// \param width   h > 0
/// \returns       one number
/// \throws ContractError if the width is not positive or there are fewer than two keys
double slope_of_log_width(const nadaraya_watson::Sample& sample, double width);

/// Exercise 4.4: the hill between two valleys, where the error changes from rising to falling.
/// Small steps that start on either side of it end in different valleys.
/// \param problem  the table
/// \param left     the valley of the smaller width
/// \param right    the valley of the larger one
/// \returns        the width on top
/// \throws ContractError unless 0 < left < right
double watershed(const WidthProblem& problem, const Valley& left, const Valley& right);

} // namespace attn::backpropagation::solutions
