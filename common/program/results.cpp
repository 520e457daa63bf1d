#include "common/program/results.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::program {

namespace {

/// A cell of a printed table.
/// \param numbers  none, or one of them nan: a dash
std::string cell_of(const std::vector<double>& numbers, const ViewColumn& column)
{
    if (numbers.empty() ||
        std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); })) {
        return "-";
    }
    const Spread spread(numbers);
    return column.cell == Cell::median ? column.format(spread.median(), column.digits)
                                       : spread.text(column.digits, column.format);
}

} // namespace

Results::Results(std::vector<std::string> keys, std::vector<CsvColumn> numbers,
                 const std::vector<std::string>& shown)
    : keys_(std::move(keys)), numbers_(std::move(numbers)), n_saved_(numbers_.size())
{
    expect(!keys_.empty(), "Results: rows must have a name");
    for (const std::string& name : shown) {
        numbers_.push_back({name, fixed, 0});
    }
}

Results& Results::add(const std::vector<std::string>& names, const std::vector<double>& numbers)
{
    expect(names.size() == keys_.size() && numbers.size() == numbers_.size(),
           "Results: a row of {} names and {} numbers for {} and {} columns", names.size(),
           numbers.size(), keys_.size(), numbers_.size());
    names_.push_back(names);
    rows_.push_back(numbers);
    return *this;
}

std::size_t Results::number_at(std::string_view number) const
{
    const auto found =
        std::find_if(numbers_.begin(), numbers_.end(),
                     [&](const CsvColumn& column) { return column.name == number; });
    expect(found != numbers_.end(), "Results: there is no column '{}'", number);
    return static_cast<std::size_t>(found - numbers_.begin());
}

std::vector<double> Results::of(std::string_view name, std::string_view number,
                                const Where& where) const
{
    const std::size_t at = number_at(number);
    const auto key = std::find(keys_.begin(), keys_.end(), where.key);
    expect(where.key.empty() || key != keys_.end(), "Results: there is no column '{}'",
           where.key);
    const auto key_at = static_cast<std::size_t>(key - keys_.begin());
    std::vector<double> found;
    bool is_there = false;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const bool named = names_[row].front() == name;
        is_there = is_there || named;
        if (named && (where.key.empty() || names_[row][key_at] == where.name)) {
            found.push_back(rows_[row][at]);
        }
    }
    expect(is_there, "Results: there is no row '{}'", name);
    return found;
}

std::vector<std::string> Results::names() const
{
    std::vector<std::string> found;
    for (const std::vector<std::string>& row : names_) {
        if (std::find(found.begin(), found.end(), row.front()) == found.end()) {
            found.push_back(row.front());
        }
    }
    return found;
}

Table Results::table(const View& view) const
{
    std::vector<std::string> head = {view.title};
    for (const ViewColumn& column : view.columns) {
        head.push_back(column.title);
    }
    Table table(head);
    for (const std::string& name : view.rows.empty() ? names() : view.rows) {
        std::vector<std::string> row = {view.shown ? view.shown(name) : name};
        for (const ViewColumn& column : view.columns) {
            row.push_back(cell_of(of(name, column.number, column.where), column));
        }
        table.row(row);
    }
    return table;
}

CsvColumns Results::columns() const
{
    CsvColumns columns;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
        std::vector<std::string> names;
        for (const std::vector<std::string>& row : names_) {
            names.push_back(key_name(row[key]));
            expect(!names.back().empty(), "Results: '{}' is no name for a file", row[key]);
        }
        columns.add(keys_[key], names);
    }
    for (std::size_t at = 0; at < n_saved_; ++at) {
        std::vector<double> numbers;
        for (const std::vector<double>& row : rows_) {
            numbers.push_back(row[at]);
        }
        columns.add(numbers_[at].name, numbers, numbers_[at].format, numbers_[at].digits);
    }
    return columns;
}

} // namespace attn::program
