#include "common/program/csv_columns.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace attn::program {

namespace {

constexpr std::string_view blank_characters = " \t";

using Cells = std::vector<std::string>;

bool is_blank(std::string_view line)
{
    return line.find_first_not_of(blank_characters) == std::string_view::npos;
}

/// The lines of a text without their ends, LF or CR LF, and without empty ones at the end.
std::vector<std::string_view> split_lines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        lines.push_back(line);
    }
    while (!lines.empty() && is_blank(lines.back())) {
        lines.pop_back();
    }
    return lines;
}

/// Where in a file something is wrong: the beginning of every message.
class Place
{
public:
    Place(std::string_view source, std::size_t line) : source_(source), line_(line) {}

    [[noreturn]] void fail(std::string_view complaint) const
    {
        throw BadInput(fmt::format("{}: {}", name(), complaint));
    }

    std::string name() const { return fmt::format("{}, line {}", source_, line_); }

private:
    std::string_view source_;
    std::size_t line_;
};

/// Takes a cell between quotes off the front of a line; two quotes stand for one.
std::string take_quoted(std::string_view& rest, const Place& place)
{
    std::string cell;
    rest.remove_prefix(1);
    while (true) {
        const std::size_t quote = rest.find('"');
        if (quote == std::string_view::npos) {
            place.fail("a quote is opened and not closed");
        }
        cell += rest.substr(0, quote);
        rest.remove_prefix(quote + 1);
        if (rest.empty() || rest[0] != '"') {
            return cell;
        }
        cell += '"';
        rest.remove_prefix(1);
    }
}

/// The cells of a line, without quotes and the blanks around them.
Cells split_cells(std::string_view line, const Place& place)
{
    Cells cells;
    std::string_view rest = line;
    while (true) {
        rest.remove_prefix(std::min(rest.find_first_not_of(blank_characters), rest.size()));
        std::string cell;
        if (!rest.empty() && rest[0] == '"') {
            cell = take_quoted(rest, place);
            rest.remove_prefix(std::min(rest.find_first_not_of(blank_characters), rest.size()));
            if (!rest.empty() && rest[0] != ',') {
                place.fail(fmt::format("{} stands behind a closing quote", in_quotes(rest)));
            }
        } else {
            const std::string_view bare = rest.substr(0, rest.find(','));
            cell = bare.substr(0, bare.find_last_not_of(blank_characters) + 1);
            rest.remove_prefix(bare.size());
        }
        cells.push_back(std::move(cell));
        if (rest.empty()) {
            return cells;
        }
        rest.remove_prefix(1); // the comma
    }
}

/// Whether the first line names the columns; if not, it is data.
bool is_header(const Cells& first, const Place& place)
{
    const auto is_number = [](const std::string& cell) { return looks_like_number(cell); };
    const auto number = std::find_if(first.begin(), first.end(), is_number);
    const auto name = std::find_if_not(first.begin(), first.end(), is_number);
    if (number != first.end() && name != first.end()) {
        place.fail(fmt::format("{} is a number and {} is not; the first line must hold either "
                               "names or numbers",
                               in_quotes(*number), in_quotes(*name)));
    }
    return name != first.end();
}

/// Names for the columns, from the header or by their place.
std::vector<std::string> name_columns(const Cells& first, bool header, const Place& place)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool named = header && !first[i].empty();
        std::string name = named ? first[i] : fmt::format("column {}", i + 1);
        if (!is_printable(name)) {
            place.fail(
                fmt::format("the name {} is no text (is the file UTF-8?)", in_quotes(name)));
        }
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            place.fail(fmt::format("two columns have the name {}", in_quotes(name)));
        }
        names.push_back(std::move(name));
    }
    return names;
}

/// The number in a cell, or why it is none.
double read_cell(const std::string& cell, const Place& place, const std::string& column,
                 bool header)
{
    if (const std::optional<double> number = finite_number(cell)) {
        return *number;
    }
    const std::string where =
        fmt::format("{}, {}", place.name(), header ? "column " + in_quotes(column) : column);
    if (cell.find_first_of(";\t") != std::string::npos) {
        throw BadInput(
            fmt::format("{}: {} is not a number; columns must be separated by commas", where,
                        in_quotes(cell)));
    }
    return parse_number(cell, where);
}

void append_row(NumericTable& table, const Cells& cells, const Place& place, bool header)
{
    if (cells.size() != table.names.size()) {
        place.fail(fmt::format("{} {}, but line 1 has {}", cells.size(),
                               cells.size() == 1 ? "cell" : "cells", table.names.size()));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        table.columns[i].push_back(read_cell(cells[i], place, table.names[i], header));
    }
}

} // namespace

std::size_t NumericTable::n_rows() const
{
    return columns.empty() ? 0 : columns[0].size();
}

const std::vector<double>& NumericTable::column(std::string_view name) const
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw BadInput(fmt::format("{}: there is no column {}; its columns are {}", source,
                                   in_quotes(name), fmt::join(names, ", ")));
    }
    return columns[static_cast<std::size_t>(found - names.begin())];
}

Vector NumericTable::vector(std::string_view name) const
{
    const std::vector<double>& numbers = column(name);
    Vector tensor = Vector::from_shape({numbers.size()}); // [n_rows]
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

NumericTable parse_numeric_csv(std::string_view text, std::string_view source_name)
{
    NumericTable table;
    table.source =
        is_printable(source_name) ? std::string(source_name) : in_quotes(source_name);
    const std::vector<std::string_view> lines = split_lines(without_byte_order_mark(text));
    if (lines.empty()) {
        throw BadInput(fmt::format("{}: the file is empty", table.source));
    }

    // Name the columns by the first line.
    const Place top(table.source, 1);
    const Cells first = split_cells(lines[0], top);
    const bool header = is_blank(lines[0]) ? false : is_header(first, top);
    table.names = name_columns(first, header, top);
    table.columns.resize(table.names.size());
    if (header && lines.size() == 1) {
        throw BadInput(fmt::format("{}: there are names, but no rows of numbers below them",
                                   table.source));
    }

    // Read every other line as numbers.
    for (std::size_t i = header ? 1 : 0; i < lines.size(); ++i) {
        const Place place(table.source, i + 1);
        if (is_blank(lines[i])) {
            place.fail("the line is empty, but there are more below it");
        }
        append_row(table, split_cells(lines[i], place), place, header);
    }
    return table;
}

NumericTable read_numeric_csv(const std::filesystem::path& file)
{
    return parse_numeric_csv(read_file(file), file.string());
}

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
