/// \file
/// \brief The bodies of kernel_width.hpp.
#include "chapters/04_backpropagation/kernel_width.hpp"

#include "chapters/01_lookup/experiments/experiments.hpp"
#include "chapters/02_nadaraya_watson/cars.csv.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "chapters/02_nadaraya_watson/toy40.csv.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/csv.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace attn::backpropagation {

using autograd::Variable;

WidthProblem width_problem(const nadaraya_watson::Sample& sample, Itself itself)
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
    autograd::Mask visible = filled({n, n}, true);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double difference = keys(i) - keys(j);
            nearness(i, j) = -0.5 * difference * difference;
        }
        visible(i, i) = itself == Itself::seen;
    }
    Array<double> column = uninitialised<double>({n, 1});
    std::copy(values.begin(), values.end(), column.begin());
    return {std::move(nearness), std::move(column), std::move(visible), *highest - *lowest};
}

// [prediction_error]
Variable<double> prediction_error(const Variable<double>& log_width,
                                  const WidthProblem& problem)
{
    const Variable<double> precision = exp(-2.0 * log_width);                 // 1 / h^2, [1, 1]
    const Variable<double> scores = problem.nearness * precision;             // [n, n]
    const Variable<double> weights = masked_softmax(scores, problem.visible); // [n, n]
    const Variable<double> predictions = matmul(weights, problem.values);     // [n, 1]
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

ErrorAndSlope error_and_slope(double width, const WidthProblem& problem)
{
    autograd::Tape<double> tape;
    const Variable<double> log_width = log_width_at(width, "error_and_slope");
    const Variable<double> error = prediction_error(log_width, problem);
    backward(error);
    return {error.item(), log_width.gradient()(0, 0)};
}

Descent learn_width(const WidthProblem& problem, double start, const DescentPlan& plan)
{
    const Variable<double> log_width = log_width_at(start, "learn_width");
    nn::Parameters<double> parameters;
    parameters.add("log_width", log_width);
    nn::Adam<double>::Options options;
    options.learning_rate = plan.learning_rate;
    nn::Adam<double> adam(parameters, options);

    Descent descent;
    std::size_t n_still = 0; // steps in a row that hardly moved
    while (descent.widths.size() < plan.n_steps && n_still < 20) {
        autograd::Tape<double> tape;
        const Variable<double> error = prediction_error(log_width, problem);
        backward(error);
        const double before = log_width.item();
        adam.step();
        descent.widths.push_back(elementary::exp(before));
        descent.errors.push_back(error.item());
        n_still = std::abs(log_width.item() - before) < plan.settled ? n_still + 1 : 0;
    }
    descent.widths.push_back(elementary::exp(log_width.item()));
    descent.errors.push_back(prediction_error(log_width, problem).item());
    return descent;
}

std::vector<Valley> valleys(const WidthProblem& problem, double low, double high)
{
    expect(low > 0 && low < high, "valleys: low must be above 0 and below high, got {} and {}",
           low, high);
    const Vector grid = lookup::geometric_steps(low, high, 121);
    std::vector<Valley> found;
    bool falling = error_and_slope(grid(0), problem).slope < 0;
    for (std::size_t i = 1; i < grid.size(); ++i) {
        const bool still_falling = error_and_slope(grid(i), problem).slope < 0;
        if (falling && !still_falling) {
            double left = elementary::log(grid(i - 1));
            double right = elementary::log(grid(i));
            while (right - left > 1e-10) {
                const double middle = 0.5 * (left + right);
                (error_and_slope(elementary::exp(middle), problem).slope < 0 ? left : right) =
                    middle;
            }
            const double width = elementary::exp(right);
            found.push_back({width, error_and_slope(width, problem).error});
        }
        falling = still_falling;
    }
    return found;
}

namespace {

nadaraya_watson::Sample read(std::string_view csv, const std::string& source, const char* key,
                             const char* value)
{
    const program::NumericTable table = program::parse_numeric_csv(csv, source);
    return {table.vector(key), table.vector(value)};
}

} // namespace

std::vector<NamedTable> tables_of_chapter_2()
{
    using namespace nadaraya_watson;
    return {
        {"toy", "x", "y", read(toy40_csv, "toy40.csv", "x", "y")},
        {"Old Faithful", "eruption, minutes", "waiting, minutes",
         read(old_faithful_csv, "old_faithful.csv", "eruption", "waiting")},
        {"cars", "speed, miles an hour", "stopping distance, feet",
         read(cars_csv, "cars.csv", "x", "y")},
    };
}

} // namespace attn::backpropagation
