/// \file
/// \brief The bodies of series.hpp.
#include "chapters/06_recurrent_attention/series.hpp"

#include "chapters/06_recurrent_attention/streams.hpp"
#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace attn::recurrent_attention {

using program::BadInput;

Series series_of(const program::NumericTable& table, const std::string& target)
{
    Series series{table.source, table.names,
                  Matrix::from_shape({table.n_rows(), table.names.size()}), 0};
    static_cast<void>(table.column(target)); // complains if there is none
    for (std::size_t column = 0; column < table.names.size(); ++column) {
        if (table.names[column] == target) {
            series.target = column;
        }
        for (std::size_t row = 0; row < table.n_rows(); ++row) {
            series.values(row, column) = table.columns[column][row];
        }
    }
    return series;
}

Series changes_of(const Series& series)
{
    const std::size_t n = series.values.shape(0);
    if (n < 2) {
        throw BadInput(fmt::format("{}: one row has no changes", series.name));
    }
    Series result = series;
    result.of_changes = true;
    result.values = xt::view(series.values, xt::range(1, n), xt::all()) -
                    xt::view(series.values, xt::range(0, n - 1), xt::all());
    return result;
}

// ---------------------------------------------------------------- constructed series

Series draw_series(Lags lags, std::size_t n_rows, std::uint64_t seed)
{
    constexpr std::size_t n_before = 64; // rows that are dropped: x is then in its stride
    random::Generator generator(
        seed, stream::series + static_cast<std::uint64_t>(lags == Lags::switched ? 0 : 1));
    const bool switched = lags == Lags::switched;
    Series series{switched ? "switched lag" : "fixed lags",
                  switched ? std::vector<std::string>{"x1", "x2", "z", "y"}
                           : std::vector<std::string>{"x1", "x2", "y"},
                  Matrix::from_shape({n_rows, switched ? 4U : 3U}), switched ? 3U : 2U};

    const std::size_t n = n_before + n_rows;
    Matrix x = xt::zeros<double>({n, std::size_t{2}});
    double z_before = 0;
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t i = 0; i < 2; ++i) {
            x(t, i) = generator.normal() + (t > 0 ? 0.3 * x(t - 1, i) : 0.0);
        }
        const auto z = static_cast<double>(generator.below(2));
        const double noise = generator.normal(0, series_noise);
        if (t >= n_before) {
            const std::size_t row = t - n_before;
            const double signal = switched ? 0.9 * x(t - (z_before > 0 ? 3 : 12), 0)
                                           : 0.8 * x(t - 3, 0) - 0.6 * x(t - 12, 1);
            series.values(row, 0) = x(t, 0);
            series.values(row, 1) = x(t, 1);
            if (switched) {
                series.values(row, 2) = z;
            }
            series.values(row, series.target) = signal + noise;
        }
        z_before = z;
    }
    return series;
}

// ---------------------------------------------------------------- the split in time

namespace {

/// Every number of a column, less its mean and divided by its deviation, must be one that can be
/// squared in float.
void expect_computable(const Series& series, const Scaling& scaling, std::size_t column,
                       std::size_t n_rows)
{
    constexpr double largest = 1e12;
    for (std::size_t row = 0; row < series.values.shape(0); ++row) {
        const double x = series.values(row, column);
        const double distance = std::abs(x - scaling.mean(column));
        if (!std::isfinite(scaling.deviation(column)) || !std::isfinite(distance) ||
            distance > largest * scaling.deviation(column)) {
            throw BadInput(
                fmt::format("{}, column '{}', row {}: {} is too far from the first {} "
                            "rows to be computed with",
                            series.name, series.columns[column], row + 1, x, n_rows));
        }
    }
}

} // namespace

Scaling scaling_of(const Series& series, std::size_t n_rows)
{
    const std::size_t n_columns = series.columns.size();
    Scaling scaling{xt::zeros<double>({n_columns}), xt::zeros<double>({n_columns})};
    const auto n = static_cast<double>(n_rows);
    for (std::size_t column = 0; column < n_columns; ++column) {
        double largest = 0;
        for (std::size_t row = 0; row < n_rows; ++row) {
            scaling.mean(column) += series.values(row, column) / n;
            largest = std::max(largest, std::abs(series.values(row, column)));
        }
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double difference = series.values(row, column) - scaling.mean(column);
            scaling.deviation(column) += difference * difference / n;
        }
        scaling.deviation(column) = std::sqrt(scaling.deviation(column));
        if (!(scaling.deviation(column) > 1e-9 * largest)) {
            throw BadInput(fmt::format("{}, column '{}': {} not vary in the first {} rows, "
                                       "which the models learn from; "
                                       "leave it out",
                                       series.name, series.columns[column],
                                       series.of_changes ? "its changes do" : "it does",
                                       n_rows));
        }
        expect_computable(series, scaling, column, n_rows);
    }
    return scaling;
}

namespace {

/// The windows that end at rows first, ..., end - 1.
Windows windows_between(const Series& series, const Plan& plan, const Scaling& scaling,
                        std::size_t first, std::size_t end)
{
    const std::size_t n = end > first ? end - first : 0;
    const std::size_t n_columns = series.columns.size();
    Windows windows{{},
                    Array<float>(Shape{n, plan.window, n_columns}),
                    Array<float>(Shape{n, plan.n_horizons})};
    const auto scaled = [&](std::size_t row, std::size_t column) {
        return static_cast<float>((series.values(row, column) - scaling.mean(column)) /
                                  scaling.deviation(column));
    };
    float* input = windows.inputs.data();
    float* target = windows.targets.data();
    for (std::size_t last = first; last < end; ++last) {
        windows.last.push_back(last);
        for (std::size_t row = last + 1 - plan.window; row <= last; ++row) {
            for (std::size_t column = 0; column < n_columns; ++column) {
                *input++ = scaled(row, column);
            }
        }
        for (std::size_t h = 1; h <= plan.n_horizons; ++h) {
            const bool known = last + h < series.values.shape(0);
            *target++ = known ? scaled(last + h, series.target) : 0.0F;
        }
    }
    return windows;
}

} // namespace

// [split]
Problem split_in_time(const Series& series, const Plan& plan)
{
    expect(plan.window > 0 && plan.n_horizons > 0 && plan.season <= plan.window,
           "split_in_time: window and horizons must be above 0 and a season inside the window, "
           "got {}, {} and {}",
           plan.window, plan.n_horizons, plan.season);
    const std::size_t n_rows = series.values.shape(0);
    const std::size_t H = plan.n_horizons;
    const std::size_t needed = plan.window + H - 1 + fewest_windows;
    if (n_rows < needed + plan.n_validation + plan.n_test || plan.n_validation < H ||
        plan.n_test < H) {
        throw BadInput(fmt::format(
            "{}: {} rows are too few: a window of {} and a horizon of {} need {} rows to learn "
            "from and {} each to choose by and to test on, here {} and {}",
            series.name, n_rows, plan.window, H, needed, H, plan.n_validation, plan.n_test));
    }
    const std::size_t first_test = n_rows - plan.n_test;
    const std::size_t first_validation = first_test - plan.n_validation;
    const Scaling scaling = scaling_of(series, first_validation);

    // A window that ends at row t has its answers at rows t + 1, ..., t + H.
    const auto windows = [&](std::size_t first_answer, std::size_t end_of_answers) {
        return windows_between(series, plan, scaling, first_answer - 1, end_of_answers - H);
    };
    return {series,
            plan,
            scaling,
            windows(plan.window, first_validation),
            windows(first_validation, first_test),
            windows(first_test, n_rows),
            windows_between(series, plan, scaling, n_rows - 1, n_rows).inputs};
}
// [split]

Matrix in_own_units(const Problem& problem, const Matrix& scaled)
{
    const std::size_t target = problem.series.target;
    return scaled * problem.scaling.deviation(target) + problem.scaling.mean(target);
}

Matrix truth_of(const Problem& problem, const Windows& windows)
{
    Matrix truth = Matrix::from_shape({windows.last.size(), problem.plan.n_horizons});
    for (std::size_t i = 0; i < windows.last.size(); ++i) {
        for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
            truth(i, h) = problem.series.values(windows.last[i] + 1 + h, problem.series.target);
        }
    }
    return truth;
}

double rmse(const Matrix& forecast, const Matrix& truth, std::size_t horizon)
{
    expect(forecast.shape() == truth.shape() && horizon < truth.shape(1),
           "rmse: forecast and truth must have equal shapes and a column {}, got {} and {}",
           horizon, shape_of(forecast), shape_of(truth));
    double squares = 0;
    for (std::size_t i = 0; i < truth.shape(0); ++i) {
        const double error = forecast(i, horizon) - truth(i, horizon);
        squares += error * error;
    }
    return std::sqrt(squares / static_cast<double>(truth.shape(0)));
}

} // namespace attn::recurrent_attention
