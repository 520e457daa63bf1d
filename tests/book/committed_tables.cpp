#include "tests/book/committed_tables.hpp"

#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "tests/book/checks.hpp"
#include "tests/book/measured.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <utility>

namespace attn::book {

namespace {

using Row = std::vector<std::string>;

std::string trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::optional<double> number_of(std::string_view text)
{
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

/// The numbers of a cell: one, several with a slash or a blank between them, or none.
std::vector<double> numbers_of(const std::string& cell)
{
    std::vector<double> numbers;
    for (std::size_t begin = 0; begin <= cell.size();) {
        const std::size_t end = std::min(cell.find_first_of("/ ", begin), cell.size());
        const std::string part = cell.substr(begin, end - begin);
        if (const auto number = number_of(part)) {
            numbers.push_back(*number);
        } else if (!part.empty() && part != "%") {
            return {};
        }
        begin = end + 1;
    }
    return numbers;
}

bool holds(const std::string& cell, const Key& key)
{
    const std::optional<double> a = number_of(cell);
    const std::optional<double> b = number_of(key.value);
    if (key.relation == "=") {
        return cell == key.value || (a && b && *a == *b);
    }
    return a && b && (key.relation == "<=" ? *a <= *b : *a >= *b);
}

/// A line of which every character but blanks is the given one, of three bytes.
bool is_rule(const std::string& line, std::string_view stroke)
{
    bool any = false;
    for (std::size_t i = 0; i < line.size(); i += line[i] == ' ' ? 1 : stroke.size()) {
        if (line[i] != ' ' && line.compare(i, stroke.size(), stroke) != 0) {
            return false;
        }
        any = any || line[i] != ' ';
    }
    return any;
}

/// The columns of a printed line, cut where its table's rule is cut.
Row cut(const std::string& line, const std::string& rule)
{
    Row cells(1);
    std::string_view rest = line;
    for (std::string_view stroke = rule; !stroke.empty();) {
        const program::Character of_rule = program::first_character(stroke);
        stroke.remove_prefix(of_rule.n_bytes);
        if (of_rule.code == U' ' && !stroke.starts_with(' ')) {
            cells.emplace_back();
        }
        if (!rest.empty()) {
            const std::size_t n_bytes = program::first_character(rest).n_bytes;
            cells.back() += rest.substr(0, n_bytes);
            rest.remove_prefix(n_bytes);
        }
    }
    std::transform(cells.begin(), cells.end(), cells.begin(), trimmed);
    return cells;
}

/// Columns with a number behind each name that stands there already; one without a name has that of the
/// column before it.
Row numbered(const Row& columns)
{
    Row named;
    std::map<std::string, int> n_so_far;
    std::string name;
    for (const std::string& column : columns) {
        name = column.empty() ? name : column;
        const int n = ++n_so_far[name];
        named.push_back(n == 1 ? name : fmt::format("{} {}", name, n));
    }
    return named;
}

std::size_t column_of(const CommittedTable& table, const std::string& name)
{
    return static_cast<std::size_t>(
        std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin());
}

bool has_columns(const CommittedTable& table, const Reference& reference)
{
    const std::size_t n_columns = table.columns.size();
    return column_of(table, reference.column) < n_columns &&
           std::all_of(reference.keys.begin(), reference.keys.end(), [&](const Key& key) {
               return column_of(table, key.column) < n_columns;
           });
}

bool has_keys(const CommittedTable& table, const Row& row, const Reference& reference)
{
    return std::all_of(reference.keys.begin(), reference.keys.end(), [&](const Key& key) {
        return holds(row.at(column_of(table, key.column)), key);
    });
}

} // namespace

CommittedTable parse_csv(const std::string& text)
{
    CommittedTable table;
    for (const auto& [line, number] : lines_of(text)) {
        Row cells(1);
        bool quoted = false;
        for (const char c : line) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted) {
                cells.emplace_back();
            } else if (c != '"') {
                cells.back() += c;
            }
        }
        if (table.columns.empty()) {
            table.columns = numbered(cells);
        } else if (cells.size() == table.columns.size()) {
            table.rows.push_back(cells);
        } else {
            throw std::runtime_error(fmt::format("a row of {} cells below {} columns: '{}'",
                                                 cells.size(), table.columns.size(), line));
        }
    }
    return table;
}

std::map<std::string, std::vector<CommittedTable>> parse_printed(const std::string& text)
{
    std::map<std::string, std::vector<CommittedTable>> found;
    const std::vector<Line> lines = lines_of(text);
    std::string heading;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (is_rule(lines[i].text, "═")) {
            heading = lines[i - 1].text;
        } else if (is_rule(lines[i].text, "─")) {
            const std::string& rule = lines[i].text;
            CommittedTable table{numbered(cut(lines[i - 1].text, rule)), {}};
            for (++i; i < lines.size() && !lines[i].text.empty(); ++i) {
                table.rows.push_back(cut(lines[i].text, rule));
            }
            found[heading].push_back(std::move(table));
        }
    }
    return found;
}

Tables::Place Tables::place_of(const std::string& chapter, std::string name) const
{
    Place place;
    std::filesystem::path folder = root_ / "chapters" / chapter / "expected";
    std::string text = "output";
    for (std::size_t slash = 0;
         !name.starts_with('"') && (slash = name.find('/')) != std::string::npos;) {
        const std::string part = name.substr(0, slash);
        name.erase(0, slash + 1);
        if (part == "measured") {
            place.measured = true;
        } else if (std::filesystem::is_directory(root_ / "chapters" / part)) {
            folder = root_ / "chapters" / part / "expected";
        } else {
            text = part;
        }
    }
    place.printed = name.starts_with('"');
    place.name = place.printed ? name.substr(1, name.size() - 2) : name;
    if (place.measured) {
        place.file = measured_file(root_, place.printed ? text + ".txt" : name + ".csv");
    } else {
        place.file = folder / (place.printed ? text + ".txt" : "trained_" + name + ".csv");
        if (!place.printed && !std::filesystem::exists(place.file)) {
            place.file = folder / (name + ".csv");
        }
    }
    if (!std::filesystem::exists(place.file)) {
        throw std::runtime_error(fmt::format("there is no table {}", name));
    }
    return place;
}

const std::vector<CommittedTable>& Tables::tables(const std::string& chapter,
                                                  const std::string& name)
{
    const Place place = place_of(chapter, name);
    auto& of_file = read_[place.file];
    if (of_file.empty()) {
        const std::string content = program::read_file(place.file);
        if (place.printed) {
            of_file = parse_printed(content);
        } else {
            of_file[place.name] = {parse_csv(content)};
        }
    }
    const auto found = of_file.find(place.name);
    if (found != of_file.end()) {
        return found->second;
    }
    if (place.measured && of_file.contains("")) {
        return of_file[""];
    }
    throw std::runtime_error(fmt::format("there is no table below '{}' in {}", place.name,
                                         place.file.filename().string()));
}

bool Tables::prints(const std::string& chapter, const std::string& name) const
{
    const Place place = place_of(chapter, name);
    return on_one_line(program::read_file(place.file)).find(on_one_line(place.name)) !=
           std::string::npos;
}

bool Tables::has_test(const std::string& name) const
{
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ / "tests")) {
        if (entry.path().filename().string().ends_with("_test.cpp") &&
            program::read_file(entry.path()).find("TEST_CASE(\"" + name + "\"") !=
                std::string::npos) {
            return true;
        }
    }
    return false;
}

std::vector<double> Tables::numbers(const std::string& chapter, const Reference& reference)
{
    std::vector<double> numbers;
    bool has_table = false;
    for (const CommittedTable& table : tables(chapter, reference.table)) {
        if (!has_columns(table, reference)) {
            continue;
        }
        has_table = true;
        for (const Row& row : table.rows) {
            if (!has_keys(table, row, reference)) {
                continue;
            }
            const std::string& cell = row[column_of(table, reference.column)];
            const std::vector<double> of_cell = numbers_of(cell);
            if (of_cell.empty()) {
                throw std::runtime_error(fmt::format("{}.{}: '{}' is no number",
                                                     reference.table, reference.column, cell));
            }
            numbers.insert(numbers.end(), of_cell.begin(), of_cell.end());
        }
    }
    if (!has_table) {
        throw std::runtime_error(fmt::format("{} has no column '{}', or none of a key",
                                             reference.table, reference.column));
    }
    if (numbers.empty()) {
        throw std::runtime_error(fmt::format("{} has no row with these keys", reference.table));
    }
    return numbers;
}

} // namespace attn::book
