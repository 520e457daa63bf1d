#include "chapters/06_recurrent_attention/series.hpp"

#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace attn::recurrent_attention {

using program::BadInput;

namespace {

/// Refuses a row so far from the others, a code for "missing" say, that what the others differ by is
/// lost when they are standardised and rounded to floats.
void refuse_lost_differences(const Series& series, std::size_t column, double mean,
                             double deviation, std::size_t n_rows)
{
    std::vector<double> x;
    for (std::size_t row = 0; row < n_rows; ++row) {
        x.push_back(series.values(row, column));
    }
    const auto middle_of = [](std::vector<double>& numbers) {
        const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
        std::nth_element(numbers.begin(), middle, numbers.end());
        return *middle;
    };
    const double median = middle_of(x);
    for (double& number : x) {
        number = std::abs(number - median);
    }
    std::erase(x, 0.0);
    if (x.empty() || middle_of(x) > 1e-4 * deviation) {
        return;
    }
    std::size_t farthest = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (std::abs(series.values(row, column) - mean) >
            std::abs(series.values(farthest, column) - mean)) {
            farthest = row;
        }
    }
    throw BadInput(fmt::format(
        "{}, column '{}', row {}: {} is so far from the others that their "
        "differences would be lost; leave the row out or mend it",
        series.name, series.columns[column], farthest + 1, series.values(farthest, column)));
}

/// Mean and standard deviation of the first rows.
Scaling scaling_of(const Series& series, std::size_t n_rows)
{
    const std::size_t n_columns = series.columns.size();
    Scaling scaling{xt::zeros<double>({n_columns}), xt::zeros<double>({n_columns})};
    const auto n = static_cast<double>(n_rows);
    for (std::size_t column = 0; column < n_columns; ++column) {
        double largest = 0;
        double highest = series.values(0, column);
        double lowest = highest;
        for (std::size_t row = 0; row < n_rows; ++row) {
            scaling.mean(column) += series.values(row, column) / n;
            largest = std::max(largest, std::abs(series.values(row, column)));
            highest = std::max(highest, series.values(row, column));
            lowest = std::min(lowest, series.values(row, column));
        }
        // In a unit in which no square overflows or vanishes: a power of two changes no digit.
        const double half_range = highest / 2 - lowest / 2;
        const double unit = half_range > 0 ? std::ldexp(1.0, std::ilogb(half_range)) : 1;
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double difference =
                (series.values(row, column) - scaling.mean(column)) / unit;
            scaling.deviation(column) += difference * difference / n;
        }
        scaling.deviation(column) = unit * std::sqrt(scaling.deviation(column));
        // However far from zero: what is left must be more than the rounding of the numbers.
        if (!(half_range > 1e-14 * largest)) {
            throw BadInput(fmt::format(
                "{}, column '{}': {} {} in the first {} rows, which the models learn from; "
                "leave it out",
                series.name, series.columns[column], series.of_changes ? "its changes" : "it",
                highest > lowest    ? "varies too little beside its size"
                : series.of_changes ? "do not vary"
                                    : "does not vary",
                n_rows));
        }
        for (std::size_t row = 0; row < series.values.shape(0); ++row) {
            const double x = series.values(row, column);
            const double distance = std::abs(x - scaling.mean(column));
            if (!std::isfinite(scaling.deviation(column)) || !std::isfinite(distance) ||
                distance >
                    1e12 * scaling.deviation(column)) { // its square must fit into a float
                throw BadInput(
                    fmt::format("{}, column '{}', row {}: {} is too far from the first {} "
                                "rows to be computed with",
                                series.name, series.columns[column], row + 1, x, n_rows));
            }
        }
    }
    for (std::size_t column = 0; column < n_columns; ++column) {
        refuse_lost_differences(series, column, scaling.mean(column), scaling.deviation(column),
                                n_rows);
    }
    return scaling;
}

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

    // A window that ends at row t has its targets at rows t + 1, ..., t + H.
    const auto windows = [&](std::size_t first_target, std::size_t end_of_targets) {
        return windows_between(series, plan, scaling, first_target - 1, end_of_targets - H);
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

} // namespace attn::recurrent_attention
