/// \file
/// \brief The bodies of real_series.hpp.
#include "chapters/06_recurrent_attention/experiments/real_series.hpp"

#include "chapters/06_recurrent_attention/bjsales.csv.hpp"
#include "chapters/06_recurrent_attention/ftse.csv.hpp"
#include "chapters/06_recurrent_attention/lung_deaths.csv.hpp"
#include "chapters/06_recurrent_attention/seatbelts.csv.hpp"
#include "chapters/06_recurrent_attention/sunspots.csv.hpp"
#include "common/kernels/elementary.hpp"

#include <cmath>
#include <functional>

namespace attn::recurrent_attention {

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
             {24, 1, 30, 58, 11},
             "sunspots, square roots of x + 1"},
            {changes_of(transformed(parse_numeric_csv(bjsales_csv, "bjsales.csv"),
                                    {"sales", "lead"}, same)),
             {8, 1, 20, 40, 0},
             "sales, changes"},
            {transformed(lungs, {"deaths", "male", "female"}, logarithm),
             {12, 1, 6, 18, 12},
             "lung deaths, logs"},
            {transformed(seatbelts_table(), {"drivers", "kms", "PetrolPrice"}, logarithm),
             {24, 1, 24, 36, 12},
             "car drivers, logs"},
            {changes_of(transformed(parse_numeric_csv(ftse_csv, "ftse.csv"), {"ftse"},
                                    hundred_logarithms)),
             {20, 1, 250, 400, 0},
             "FTSE, returns in %"}};
}

} // namespace attn::recurrent_attention
