#include "common/program/csv_columns.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace attn::program {

CsvColumns& CsvColumns::add_each(const std::vector<std::string>& names, const Matrix& matrix,
                                 NumberFormat format, int digits)
{
    expect_columns(matrix, names.size(), "CsvColumns::add_each", "matrix", "one name a column");
    for (std::size_t column = 0; column < names.size(); ++column) {
        add(names[column], column_of(matrix, column), format, digits);
    }
    return *this;
}

CsvColumns& CsvColumns::add_spreads(const std::string& name, const std::vector<Spread>& spreads,
                                    NumberFormat format, int digits, const char* low,
                                    const char* high)
{
    std::vector<double> lowest;
    std::vector<double> median;
    std::vector<double> highest;
    for (const Spread& spread : spreads) {
        lowest.push_back(spread.lowest());
        median.push_back(spread.median());
        highest.push_back(spread.highest());
    }
    add(name + low, lowest, format, digits).add(name, median, format, digits);
    return add(name + high, highest, format, digits);
}

CsvRows::CsvRows(std::vector<CsvColumn> columns)
    : columns_(std::move(columns)), numbers_(columns_.size())
{
}

CsvRows::CsvRows(const std::vector<std::string>& names, NumberFormat format, int digits)
    : numbers_(names.size())
{
    for (const std::string& name : names) {
        columns_.push_back({name, format, digits});
    }
}

CsvRows& CsvRows::add(const std::vector<double>& row)
{
    expect(row.size() == columns_.size(), "CsvRows: {} numbers in a row of {} columns",
           row.size(), columns_.size());
    for (std::size_t column = 0; column < row.size(); ++column) {
        numbers_[column].push_back(row[column]);
    }
    return *this;
}

CsvColumns CsvRows::columns() const
{
    CsvColumns columns;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        const CsvColumn& one = columns_[column];
        columns.add(one.name, numbers_[column], one.format, one.digits);
    }
    return columns;
}

std::vector<std::string> numbered(const std::string& name, std::size_t n)
{
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= n; ++i) {
        names.push_back(fmt::format("{}_{}", name, i));
    }
    return names;
}

std::vector<double> first_losses(const std::vector<double>& losses)
{
    const auto n = static_cast<std::ptrdiff_t>(std::min<std::size_t>(losses.size(), 100));
    return {losses.begin(), losses.begin() + n};
}

std::string column_name(const std::string& name)
{
    std::string column;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            column += c;
        } else if (!column.empty() && column.back() != '_') {
            column += '_';
        }
    }
    return column;
}

CsvColumns first_losses_of(const std::vector<std::string>& names,
                           const std::vector<std::vector<double>>& losses)
{
    std::vector<double> steps(first_losses(losses.front()).size());
    std::iota(steps.begin(), steps.end(), 0.0);
    CsvColumns columns;
    columns.add("step", steps, fixed, 0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        columns.add(column_name(names[i]), first_losses(losses[i]), significant, 6);
    }
    return columns;
}

} // namespace attn::program
