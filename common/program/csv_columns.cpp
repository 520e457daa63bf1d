#include "common/program/csv_columns.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <optional>
#include <utility>

namespace attn::program {

namespace {

constexpr std::string_view blank_characters = " \t";

using Cells = std::vector<std::string>;

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

    std::size_t line() const { return line_; }

private:
    std::string_view source_;
    std::size_t line_;
};

constexpr std::string_view wanted_separators =
    "must be separated by commas, and decimals have a point";

/// The end of a message about cells that another separator than a comma seems to have made.
/// \returns empty if there is none in them
std::string hint_at_separator(const Cells& cells)
{
    constexpr std::array<std::pair<char, const char*>, 3> separators = {
        {{';', "semicolons"}, {'\t', "tabs"}, {'|', "vertical bars"}}};
    for (const auto& [separator, name] : separators) {
        for (const std::string& cell : cells) {
            if (cell.find(separator) != std::string::npos) {
                return fmt::format("; columns seem to be separated by {}, but {}", name,
                                   wanted_separators);
            }
        }
    }
    return {};
}

/// Takes a text's rows one after another, and counts the lines on which they stand.
class Rows
{
public:
    Rows(std::string_view text, std::string_view source) : rest_(text), source_(source) {}

    /// Whether nothing but blank lines is left.
    bool at_end() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

    /// Whether the next row is a blank line.
    bool is_blank() const
    {
        return line().find_first_not_of(blank_characters) == std::string_view::npos;
    }

    /// Where the next row begins, or what is left of this one.
    Place place() const { return {source_, line_}; }

    /// Takes a row's cells, without quotes and the blanks around them.
    Cells take()
    {
        Cells cells = {take_cell()};
        while (rest_.starts_with(',')) {
            rest_.remove_prefix(1);
            cells.push_back(take_cell());
        }
        take_line_break();
        return cells;
    }

    /// Takes the line "sep=," with which some programs begin.
    void take_separator()
    {
        std::string_view wanted = line();
        wanted.remove_prefix(wanted.starts_with('"') ? 1 : 0);
        if (!wanted.starts_with("sep=")) {
            return;
        }
        if (wanted.substr(4, 1) != ",") {
            place().fail(fmt::format("{} asks for another separator; columns {}",
                                     in_quotes(line()), wanted_separators));
        }
        rest_.remove_prefix(line().size());
        take_line_break();
    }

private:
    /// What is left of the line.
    std::string_view line() const { return rest_.substr(0, rest_.find_first_of("\r\n")); }

    void take_line_break()
    {
        const std::string_view line_break = rest_.substr(0, length_of_line_break(rest_));
        if (line_break == "\r") {
            place().fail(
                "the line ends in CR alone, as on an old Mac; save the file with LF or "
                "CR LF as line ends");
        }
        line_ += line_break.empty() ? 0 : 1;
        rest_.remove_prefix(line_break.size());
    }

    void skip_blanks()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blank_characters), rest_.size()));
    }

    std::string take_cell()
    {
        skip_blanks();
        if (!rest_.starts_with('"')) {
            const std::string_view bare = rest_.substr(0, rest_.find_first_of(",\r\n"));
            rest_.remove_prefix(bare.size());
            return std::string(bare.substr(0, bare.find_last_not_of(blank_characters) + 1));
        }
        std::string cell = take_quoted();
        const std::string_view behind = line();
        skip_blanks();
        if (!line().empty() && line()[0] != ',') {
            place().fail(fmt::format("{} stands behind a closing quote{}", in_quotes(line()),
                                     hint_at_separator({std::string(behind)})));
        }
        return cell;
    }

    /// Takes a cell between quotes; two quotes stand for one, a line break for a blank.
    std::string take_quoted()
    {
        const Place begin = place();
        std::string cell;
        do {
            rest_.remove_prefix(1);
            std::string_view quoted = rest_.substr(0, rest_.find('"'));
            if (quoted.size() == rest_.size()) {
                begin.fail("a quote is opened and not closed");
            }
            rest_.remove_prefix(quoted.size() + 1);
            while (!quoted.empty()) {
                const std::size_t n_bytes = quoted.size();
                const std::string_view line = take_line(quoted);
                const bool broken = n_bytes - quoted.size() > line.size();
                cell += line;
                cell += broken ? " " : "";
                line_ += broken ? 1 : 0;
            }
            cell += rest_.starts_with('"') ? "\"" : "";
        } while (rest_.starts_with('"'));
        return cell;
    }

    std::string_view rest_;
    std::string_view source_;
    std::size_t line_ = 1;
};

/// Whether a cell is a number for certain: "nan" and "inf" may be names.
bool is_number(const std::string& cell)
{
    return looks_like_number(cell) && cell.find_first_of("0123456789") != std::string::npos;
}

/// Whether the first line names the columns; if not, it is data.
/// \param rows  what follows it
bool is_header(const Cells& first, Rows rows, const Place& place)
{
    const auto number = std::find_if(first.begin(), first.end(), is_number);
    const auto name = std::find_if_not(first.begin(), first.end(), looks_like_number);
    if (number != first.end() && name != first.end()) {
        place.fail(fmt::format("{} is a number and {} is not; the first line must hold either "
                               "names or numbers{}",
                               in_quotes(*number), in_quotes(*name), hint_at_separator(first)));
    }
    if (number != first.end() || name != first.end() || rows.at_end()) {
        return name != first.end();
    }
    const Cells second = rows.take();
    return std::all_of(second.begin(), second.end(), is_number);
}

/// Names for the columns, from the header or by their place.
/// \param text  all of the file
std::vector<std::string> name_columns(const Cells& first, bool header, const Place& place,
                                      std::string_view text)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const bool named = header && !first[i].empty();
        std::string name = named ? first[i] : fmt::format("column {}", i + 1);
        if (!is_printable(name)) {
            const std::string_view encoding = likely_encoding(text);
            place.fail(fmt::format(
                "the name {} has bytes that are no text{}{}", in_quotes(name),
                hint_at_separator({name}),
                encoding.empty() ? "" : fmt::format("; the file seems to be in {}", encoding)));
        }
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            place.fail(fmt::format("two columns have the name {}", in_quotes(name)));
        }
        names.push_back(std::move(name));
    }
    return names;
}

/// Whether a cell is a number with commas or blanks in it.
bool has_marks_in_number(std::string cell)
{
    return std::erase_if(cell, [](char c) { return c == ',' || c == ' '; }) > 0 &&
           is_number(cell);
}

void expect_no_gap(const Rows& rows)
{
    if (rows.is_blank()) {
        rows.place().fail("the line is empty, but there are more below it");
    }
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
    const std::string hint =
        has_marks_in_number(cell)
            ? "; commas separate columns, decimals have a point, thousands no mark"
            : hint_at_separator({cell});
    if (!hint.empty()) {
        throw BadInput(fmt::format("{}: {} is not a number{}", where, in_quotes(cell), hint));
    }
    return parse_number(cell, where);
}

/// \param top  where the first row stands
void append_row(NumericTable& table, const Cells& cells, const Place& place, const Place& top,
                bool header)
{
    if (cells.size() != table.names.size()) {
        place.fail(fmt::format("{} {}{}, but line {} has {}{}", cells.size(),
                               cells.size() == 1 ? "cell" : "cells",
                               cells.back().empty() ? ", the last of them empty" : "",
                               top.line(), table.names.size(), hint_at_separator(cells)));
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
    refuse_utf_16(text, table.source);
    Rows rows(without_byte_order_mark(text), table.source);
    rows.take_separator();
    if (rows.at_end()) {
        throw BadInput(fmt::format("{}: the file is empty", table.source));
    }

    // Name the columns by the first line.
    expect_no_gap(rows);
    const Rows from_first = rows;
    const Place top = rows.place();
    const Cells first = rows.take();
    const bool header = is_header(first, rows, top);
    table.names = name_columns(first, header, top, text);
    table.columns.resize(table.names.size());
    if (header && rows.at_end()) {
        throw BadInput(fmt::format("{}: there are names, but no rows of numbers below them{}",
                                   table.source, hint_at_separator(first)));
    }

    // Read every other line as numbers.
    rows = header ? rows : from_first;
    while (!rows.at_end()) {
        expect_no_gap(rows);
        const Place place = rows.place();
        append_row(table, rows.take(), place, top, header);
    }
    return table;
}

NumericTable read_numeric_csv(const std::filesystem::path& file)
{
    return parse_numeric_csv(read_file(file), file.string());
}

CsvColumns& CsvColumns::add(const std::string& name, const std::vector<std::string>& names)
{
    for (const std::string& one : names) {
        expect(one.find_first_of(",\"\r\n") == std::string::npos,
               "CsvColumns: '{}' is no name for a file", one);
    }
    names_.push_back(name);
    cells_.push_back(names);
    return *this;
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

std::string key_name(const std::string& name)
{
    if (looks_like_number(name)) {
        return name;
    }
    std::string key = column_name(name);
    key.erase(key.find_last_not_of('_') + 1);
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return key;
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
