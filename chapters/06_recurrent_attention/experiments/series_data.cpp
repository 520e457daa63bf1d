#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "chapters/06_recurrent_attention/bjsales.csv.hpp"
#include "chapters/06_recurrent_attention/ftse.csv.hpp"
#include "chapters/06_recurrent_attention/lung_deaths.csv.hpp"
#include "chapters/06_recurrent_attention/seatbelts.csv.hpp"
#include "chapters/06_recurrent_attention/sunspots.csv.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace attn::recurrent_attention {

std::vector<bool> switched_on(const Problem& problem, const Windows& windows)
{
    std::vector<bool> on;
    for (const std::size_t row : windows.last) {
        on.push_back(problem.series.values(row, z_column) > 0.5);
    }
    return on;
}

Series draw_series(Lags lags, std::size_t n_rows, std::uint64_t seed)
{
    constexpr std::size_t n_before = 64; // rows that are dropped: x is then in its stride
    const bool switched = lags == Lags::switched;
    random::Generator generator(seed, random::Stream::time_series, switched ? 0 : 1);
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
            const double signal = switched
                                      ? 0.9 * x(t - (z_before > 0 ? lag_if_1 : lag_if_0), 0)
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

namespace {

using program::NumericTable;
using program::parse_numeric_csv;

/// Some columns of a table, each number transformed by itself.
Series transformed(const NumericTable& table, const std::vector<std::string>& columns,
                   const std::function<double(double)>& f)
{
    Series series{table.source, columns, Matrix::from_shape({table.n_rows(), columns.size()}),
                  0};
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const std::vector<double>& numbers = table.column(columns[column]);
        for (std::size_t row = 0; row < numbers.size(); ++row) {
            series.values(row, column) = f(numbers[row]);
        }
    }
    return series;
}

} // namespace

program::NumericTable seatbelts_table()
{
    return parse_numeric_csv(seatbelts_csv, "seatbelts.csv");
}

std::vector<RealSeries> real_series()
{
    const auto same = [](double x) { return x; };
    const auto logarithm = [](double x) { return elementary::log(x); };
    const auto root = [](double x) { return std::sqrt(x + 1); };
    const auto hundred_logarithms = [](double x) { return 100 * elementary::log(x); };
    const NumericTable lungs = parse_numeric_csv(lung_deaths_csv, "lung_deaths.csv");
    return {{transformed(parse_numeric_csv(sunspots_csv, "sunspots.csv"), {"sunspots"}, root),
             {24, 1, 30, 58, 11}},
            {changes_of(transformed(parse_numeric_csv(bjsales_csv, "bjsales.csv"),
                                    {"sales", "lead"}, same)),
             {8, 1, 20, 40, 0}},
            {transformed(lungs, {"deaths", "male", "female"}, logarithm), {12, 1, 6, 18, 12}},
            {transformed(seatbelts_table(), {"drivers", "kms", "PetrolPrice"}, logarithm),
             {24, 1, 24, 36, 12}},
            {changes_of(transformed(parse_numeric_csv(ftse_csv, "ftse.csv"), {"ftse"},
                                    hundred_logarithms)),
             {20, 1, 250, 400, 0}}};
}

Series series_of(const program::NumericTable& table, const std::string& target)
{
    static_cast<void>(table.column(target)); // complains if there is none
    Series series = transformed(table, table.names, [](double x) { return x; });
    series.target = static_cast<std::size_t>(
        std::find(table.names.begin(), table.names.end(), target) - table.names.begin());
    return series;
}

Series changes_of(const Series& series)
{
    const std::size_t n = series.values.shape(0);
    if (n < 2) {
        throw program::BadInput(fmt::format("{}: one row has no changes", series.name));
    }
    Series result = series;
    result.of_changes = true;
    result.values = xt::view(series.values, xt::range(1, n), xt::all()) -
                    xt::view(series.values, xt::range(0, n - 1), xt::all());
    return result;
}

} // namespace attn::recurrent_attention
