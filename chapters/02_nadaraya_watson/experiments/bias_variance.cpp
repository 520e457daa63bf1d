#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/exercises/solutions.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"

#include <cmath>
#include <fmt/format.h>

namespace attn::nadaraya_watson {

using program::fixed;
using program::Frame;
using program::significant;

BiasAndVariance bias_and_variance(std::uint64_t seed, std::size_t n_draws,
                                  std::size_t n_threads, const Vector& queries,
                                  const Estimator& estimator)
{
    expect(n_draws >= 1, "bias_and_variance: n_draws must be at least 1, got {}", n_draws);
    Matrix estimates = Matrix::from_shape({n_draws, queries.size()});
    parallel::for_each_index(n_draws, n_threads, [&](std::size_t draw) {
        const Sample sample = synthetic_sample(seed, draw, n_synthetic);
        xt::row(estimates, static_cast<std::ptrdiff_t>(draw)) = estimator(queries, sample);
    });

    const auto n = static_cast<double>(n_draws);
    BiasAndVariance result{xt::zeros_like(queries), xt::zeros_like(queries)};
    for (std::size_t i = 0; i < queries.size(); ++i) {
        double mean = 0;
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            mean += estimates(draw, i) / n;
        }
        result.bias(i) = mean - truth(queries(i));
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            const double deviation = estimates(draw, i) - mean;
            result.variance(i) += deviation * deviation / n;
        }
    }
    return result;
}

namespace {

std::size_t draws_of(const Frame& frame)
{
    return frame.options.quick ? 40 : 400;
}

/// The estimate of the chapter, and exercise 2.3's, at one bandwidth.
Estimator local_mean(double bandwidth)
{
    return [bandwidth](const Vector& queries, const Sample& sample) {
        return predict(queries, sample, kernel_named("gaussian"), bandwidth).predictions;
    };
}

Estimator line_around(double bandwidth)
{
    return [bandwidth](const Vector& queries, const Sample& sample) {
        return solutions::local_line(queries, sample, kernel_named("gaussian"), bandwidth);
    };
}

} // namespace

void show_bias_and_variance(Frame& frame)
{
    const std::size_t n_draws = draws_of(frame);
    frame.terminal.introduce(
        "What the error is made of: bias and variance",
        "The Gaussian estimate from {} draws of {} points, at 51 queries from 0 to 5. Squared "
        "bias and variance, each averaged over the queries; their sum, the error against the "
        "truth; and the mean leave-one-out error, which holds the noise's variance 1 as well.",
        n_draws, n_synthetic);
    const Vector queries = xt::linspace<double>(0, 5, 51);
    program::Table table({"bandwidth", "bias^2", "variance", "sum", "leave-one-out"});
    for (const double width : {0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0}) {
        const BiasAndVariance found = bias_and_variance(
            frame.options.seed, n_draws, frame.options.threads, queries, local_mean(width));
        double left_out = 0;
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            const Sample sample = synthetic_sample(frame.options.seed, draw, n_synthetic);
            left_out += leave_one_out_error(sample, kernel_named("gaussian"), width) /
                        static_cast<double>(n_draws);
        }
        const double bias = xt::mean(xt::square(found.bias))();
        const double variance = xt::mean(found.variance)();
        table.row({significant(width, digits), fixed(bias, 3), fixed(variance, 3),
                   fixed(bias + variance, 3), fixed(left_out, 3)});
    }
    frame.terminal.table(table);
}

void show_boundary(Frame& frame)
{
    constexpr double width = 0.5;
    const std::size_t n_draws = draws_of(frame);
    frame.terminal.introduce(
        "The ends of the data",
        "The same draws, Gaussian kernel, bandwidth {}: the mean estimate less the truth, and "
        "the "
        "standard deviation from draw to draw, of the weighted mean and of a weighted line.",
        significant(width, digits));
    const Vector queries = xt::linspace<double>(0, 5, 51);
    const auto measure = [&](const Estimator& estimator) {
        return bias_and_variance(frame.options.seed, n_draws, frame.options.threads, queries,
                                 estimator);
    };
    const BiasAndVariance mean = measure(local_mean(width));
    const BiasAndVariance line = measure(line_around(width));

    program::Table table(
        {"query", "truth", "bias of the mean", "deviation", "bias of the line", "deviation"});
    for (const std::size_t i : {0U, 2U, 5U, 10U, 21U, 32U, 42U, 48U, 50U}) {
        table.row({significant(queries(i), digits), fixed(truth(queries(i)), 2),
                   fixed(mean.bias(i), 2), fixed(std::sqrt(mean.variance(i)), 2),
                   fixed(line.bias(i), 2), fixed(std::sqrt(line.variance(i)), 2)});
    }
    frame.terminal.table(table);

    Vector curve = xt::zeros_like(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        curve(i) = truth(queries(i));
    }
    program::CsvColumns columns;
    columns.add("x", queries, significant, digits)
        .add("truth", curve, significant, digits)
        .add("mean", Vector(curve + mean.bias), significant, digits)
        .add("line", Vector(curve + line.bias), significant, digits);
    frame.files.write_csv("boundary.csv", columns);
}

} // namespace attn::nadaraya_watson
