#include "chapters/04_backpropagation/kernel_width.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::backpropagation {

using autograd::Variable;

WidthProblem width_problem(const nadaraya_watson::Sample& sample, Diagonal diagonal)
{
    const auto& [keys, values] = sample;
    const std::size_t n = keys.size();
    expect(n >= 2, "width_problem: keys must be at least 2, got {}", n);
    expect(values.size() == n, "width_problem: values must be one a key, {}, got {}", n,
           values.size());
    expect_finite(as_column(keys), "width_problem", "keys");
    expect_finite(as_column(values), "width_problem", "values");
    const auto [lowest, highest] = std::minmax_element(keys.begin(), keys.end());
    expect_positive(*highest - *lowest, "width_problem", "the range of the keys");

    Array<double> nearness = uninitialised<double>({n, n});
    autograd::Mask mask = filled({n, n}, true);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double difference = keys(i) - keys(j);
            nearness(i, j) = -0.5 * difference * difference;
        }
        mask(i, i) = diagonal == Diagonal::unmasked;
    }
    Array<double> column = uninitialised<double>({n, 1});
    std::copy(values.begin(), values.end(), column.begin());
    return {std::move(nearness), std::move(column), std::move(mask), *highest - *lowest};
}

// [prediction_error]
Variable<double> prediction_error(const Variable<double>& log_width,
                                  const WidthProblem& problem)
{
    const Variable<double> precision = exp(-2.0 * log_width);              // 1 / h^2, [1, 1]
    const Variable<double> scores = problem.nearness * precision;          // [n, n]
    const Variable<double> weights = masked_softmax(scores, problem.mask); // [n, n]
    const Variable<double> predictions = matmul(weights, problem.values);  // [n, 1]
    return mean(squared(predictions - problem.values));
}
// [prediction_error]

namespace {

Variable<double> log_width_at(double width, const char* function)
{
    expect_positive(width, function, "width");
    return autograd::parameter(filled({1, 1}, elementary::log(width)));
}

} // namespace

ErrorAndDerivative error_and_derivative(double width, const WidthProblem& problem)
{
    autograd::Tape<double> tape;
    const Variable<double> log_width = log_width_at(width, "error_and_derivative");
    const Variable<double> error = prediction_error(log_width, problem);
    backward(error);
    return {error.item(), log_width.gradient()(0, 0)};
}

Descent learn_width(const WidthProblem& problem, double start, const DescentOptions& options)
{
    const Variable<double> log_width = log_width_at(start, "learn_width");
    nn::Parameters<double> parameters;
    parameters.add("log_width", log_width);
    nn::Adam<double> adam(parameters, {.learning_rate = options.learning_rate});

    Descent descent;
    std::size_t n_still = 0; // steps in a row that hardly moved
    while (descent.widths.size() < options.n_steps && n_still < 20) {
        autograd::Tape<double> tape;
        const Variable<double> error = prediction_error(log_width, problem);
        backward(error);
        const double before = log_width.item();
        adam.step();
        descent.widths.push_back(elementary::exp(before));
        descent.errors.push_back(error.item());
        n_still = std::abs(log_width.item() - before) < options.tolerance ? n_still + 1 : 0;
    }
    nn::count_training(parameters);
    descent.widths.push_back(elementary::exp(log_width.item()));
    descent.errors.push_back(prediction_error(log_width, problem).item());
    return descent;
}

} // namespace attn::backpropagation
