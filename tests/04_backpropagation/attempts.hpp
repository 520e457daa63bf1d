/// \file
/// \brief Attempts at chapter 4's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/04_backpropagation/backpropagation.hpp"
#include "common/autograd/rule.hpp"
#include "common/autograd/tape.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::backpropagation::your_turn {

using testing::Mistake;

/// As if the softmax were a function of one score.
inline const Mistake diagonal_only("softmax_backward: diagonal_only",
                                   "a softmax does not notice it if all scores");
inline const Mistake mean_forgotten("softmax_backward: mean_forgotten",
                                    "a row of the gradient sums to 0");

inline Matrix softmax_backward(const Matrix& weights, const Matrix& dweights)
{
    if (diagonal_only || mean_forgotten) {
        return Matrix(weights * (dweights - (diagonal_only ? 1.0 : 0.0) * weights * dweights));
    }
    return backpropagation::softmax_backward(weights, dweights);
}

inline const Mistake past_the_softmax("query_backward: past_the_softmax",
                                      "did you go back through the softmax?");
inline const Mistake without_the_mean("query_backward: without_the_mean",
                                      "The softmax's backward pass subtracts the mean");

inline Matrix query_backward(const Matrix& keys, const Matrix& values, const Matrix& weights,
                             const Matrix& dcontext)
{
    const Matrix queries = xt::zeros<double>({weights.shape(0), keys.shape(1)}); // of any size
    const AttentionGradients right =
        attention_backward(queries, keys, values, weights, dcontext);
    if (past_the_softmax || without_the_mean) {
        return lookup::weighted_sum(
            past_the_softmax ? right.dweights : Matrix(weights * right.dweights), keys);
    }
    return right.dqueries;
}

inline const Mistake gradient_ignored("log_sum_exp: gradient_ignored",
                                      "times what arrives at the row's result");
inline const Mistake overflow("log_sum_exp: overflow", "subtract the row's maximum");

inline autograd::Variable<double> log_sum_exp(const autograd::Variable<double>& scores)
{
    const std::size_t n_rows = scores.shape()[0];
    const std::size_t n_keys = scores.shape()[1];
    const double* const s = scores.value().data();
    Array<double> result(Shape{n_rows});
    for (std::size_t i = 0; i < n_rows; ++i) {
        const double* const row = s + i * n_keys;
        const double maximum = overflow ? 0 : *std::max_element(row, row + n_keys);
        double sum = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            sum += std::exp(row[j] - maximum);
        }
        result.data()[i] = maximum + std::log(sum);
    }
    return autograd::record(
        std::move(result), scores.needs_gradient(),
        [scores, n_keys](const Array<double>& value, const Array<double>& gradient) {
            autograd::add_to_gradient(scores, [&](std::size_t i) {
                const double arrives = gradient_ignored ? 1 : gradient.data()[i / n_keys];
                const double score = scores.value().data()[i];
                return arrives * std::exp(score - value.data()[i / n_keys]);
            });
        });
}

} // namespace attn::backpropagation::your_turn
