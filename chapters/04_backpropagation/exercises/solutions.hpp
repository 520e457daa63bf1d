/// \file
/// \brief Solutions of the exercises of chapter 4 that are functions.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "chapters/04_backpropagation/backpropagation.hpp"
#include "chapters/04_backpropagation/experiments/experiments.hpp"
#include "chapters/04_backpropagation/training/training.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

/// Solutions of the exercises of chapter 4.
namespace attn::backpropagation::solutions {

/// Exercise 4.1: the backward pass of the logarithm of a softmax,
/// \f$ ds_l = dy_l - \alpha_l \sum_j dy_j \f$.
/// \param weights       [n_queries, n_keys], the softmax itself, every row summing to 1
/// \param dlog_weights  [n_queries, n_keys], what arrives at the logarithms
/// \throws ContractError if the shapes differ
inline Matrix log_softmax_backward(const Matrix& weights, const Matrix& dlog_weights)
{
    expect_rows(dlog_weights, weights.shape(0), "log_softmax_backward", "dlog_weights",
                "one row a query");
    expect_columns(dlog_weights, weights.shape(1), "log_softmax_backward", "dlog_weights",
                   "one column a key");
    const Matrix sum = xt::sum(dlog_weights, {1}, xt::keep_dims); // [n_queries, 1]
    return dlog_weights - weights * sum;
}

/// Exercise 4.1: the gradient of the mean cross-entropy \f$ -\ln \alpha_{i, r(i)} \f$ with
/// respect to the scores: weights minus one-hot, over the number of queries.
/// \param right    [n_queries], the key that should have all the weight
/// \throws ContractError if there is not one key a query, or one is not in the table
inline Matrix cross_entropy_gradient(const Matrix& weights,
                                     const std::vector<std::size_t>& right)
{
    expect(right.size() == weights.shape(0),
           "cross_entropy_gradient: right must name one key a query, {}, got {}",
           weights.shape(0), right.size());
    const auto n = static_cast<double>(weights.shape(0));
    Matrix dlog_weights = xt::zeros<double>({weights.shape(0), weights.shape(1)});
    for (std::size_t i = 0; i < right.size(); ++i) {
        expect(right[i] < weights.shape(1),
               "cross_entropy_gradient: right must be below {}, got {}", weights.shape(1),
               right[i]);
        dlog_weights(i, right[i]) = -1 / n;
    }
    return log_softmax_backward(weights, dlog_weights);
}

/// Exercise 4.2: the derivative of a context with respect to the logarithm of the temperature of
/// \f$ \softmax(s / \tau) \f$: \f$ -\mathrm{Cov}_\alpha(v, s) / \tau \f$.
/// \param scores       [n_keys]
/// \param values       [n_keys, d_v]
/// \returns            [d_v]
/// \throws ContractError if there is not one value a key or the temperature is not positive
inline Vector derivative_of_log_temperature(const Vector& scores, const Matrix& values,
                                            double temperature)
{
    expect_positive(temperature, "derivative_of_log_temperature", "temperature");
    const Matrix row = as_row(scores);
    const Matrix weights = lookup::softmax(row, temperature);
    const Vector only_row = xt::view(weights, 0, xt::all());
    const Matrix slopes = as_column(scores) / -temperature; // d (s / tau) / d ln tau
    return column_of(covariance_of_values(only_row, values, slopes), 0);
}

/// Exercise 4.3: the derivative of the leave-one-out error with respect to the width's logarithm,
/// by hand, \f$ \frac2n \sum_i (f_i - y_i) \, \mathrm{Cov}_{\alpha_i}(y, u_i^2) \f$ with
/// \f$ u_{ij} = (x_i - x_j) / h \f$.
/// \throws ContractError if the width is not positive or there are fewer than two keys
inline double derivative_of_log_width(const nadaraya_watson::Sample& sample, double width)
{
    const auto& [keys, values] = sample;
    const nadaraya_watson::Prediction left_out = nadaraya_watson::leave_one_out(
        sample, nadaraya_watson::kernel_named("gaussian"), width);
    double slope = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Vector weights = xt::view(left_out.weights, i, xt::all());
        const Vector u = (keys - keys(i)) / width;
        const Matrix slopes = as_column(xt::square(u)); // d (-u^2 / 2) / d ln h
        slope += 2 * (left_out.predictions(i) - values(i)) *
                 covariance_of_values(weights, as_column(values), slopes)(0, 0);
    }
    return slope / static_cast<double>(keys.size());
}

/// Exercise 4.4: the hill between two minima, where the error changes from rising to falling.
/// Small steps that start on either side of it end in different minima.
/// \throws ContractError unless 0 < left < right
inline double watershed(const WidthProblem& problem, const Minimum& left, const Minimum& right)
{
    expect(left.width > 0 && left.width < right.width,
           "watershed: left must be above 0 and below right, got {} and {}", left.width,
           right.width);
    // Of 100 widths between the valleys the first from which the error falls.
    const double step = elementary::log(right.width / left.width) / 100;
    double up = elementary::log(left.width);
    for (int i = 1; i < 100; ++i) {
        const double next = elementary::log(left.width) + i * step;
        if (error_and_derivative(elementary::exp(next), problem).derivative < 0) {
            break;
        }
        up = next;
    }
    double down = up + step;
    while (down - up > 1e-10) {
        const double middle = 0.5 * (up + down);
        (error_and_derivative(elementary::exp(middle), problem).derivative > 0 ? up : down) =
            middle;
    }
    return elementary::exp(up);
}

/// Exercise 4.7: the learning rate at which plain gradient descent goes as far in a step as one
/// with momentum does when the slope has long been the same.
/// \param rate      of the descent with momentum
/// \param momentum  from 0 to below 1
inline double lasting_rate(double rate, double momentum)
{
    return rate / (1 - momentum);
}

} // namespace attn::backpropagation::solutions
