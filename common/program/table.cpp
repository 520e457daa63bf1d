#include "common/program/table.hpp"

#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <utility>
#include <fmt/format.h>

namespace attn::program {

namespace {

/// A column stands to the right if most of its cells are numbers; empty ones do not count.
bool is_numeric(const std::vector<std::vector<std::string>>& rows, std::size_t column)
{
    std::size_t n_numbers = 0;
    std::size_t n_words = 0;
    for (const std::vector<std::string>& row : rows) {
        const std::string& cell = row[column];
        n_numbers += looks_like_number(cell) ? 1 : 0;
        n_words += !cell.empty() && !looks_like_number(cell) ? 1 : 0;
    }
    return n_numbers > n_words;
}

void append_line(std::string& lines, std::string_view line)
{
    lines += line.substr(0, line.find_last_not_of(' ') + 1);
    lines += '\n';
}

} // namespace

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {}

Table& Table::row(std::vector<std::string> cells)
{
    expect(cells.size() == header_.size(),
           "Table::row: cells must be one for each of the {} columns, got {}", header_.size(),
           cells.size());
    rows_.push_back(std::move(cells));
    return *this;
}

/// How wide a column is: as its widest cell, or its name.
std::size_t Table::width(std::size_t column) const
{
    std::size_t widest = display_width(header_[column]);
    for (const std::vector<std::string>& row : rows_) {
        widest = std::max(widest, display_width(row[column]));
    }
    return widest;
}

/// Some of the columns as a table.
std::string Table::part(const std::vector<std::size_t>& columns) const
{
    std::vector<std::string> rule(header_.size());
    std::vector<bool> numeric(header_.size());
    for (const std::size_t column : columns) {
        rule[column] = fmt::format("{:─<{}}", "", width(column));
        numeric[column] = is_numeric(rows_, column);
    }
    std::string lines;
    const auto append = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (const std::size_t column : columns) {
            const std::size_t n = display_width(rule[column]);
            line += column == columns.front() ? "" : "  ";
            line += numeric[column] ? to_the_right(cells[column], n)
                                    : to_the_left(cells[column], n);
        }
        append_line(lines, line);
    };
    append(header_);
    append(rule);
    std::for_each(rows_.begin(), rows_.end(), append);
    return lines;
}

/// Each row as a list: its first cell, and below it the others behind the names of their columns.
std::string Table::lists(std::size_t max_width) const
{
    std::string lines;
    for (const std::vector<std::string>& row : rows_) {
        lines += (lines.empty() ? "" : "\n") + wrap(row[0], max_width) + "\n";
        for (std::size_t column = 1; column < row.size(); ++column) {
            const std::string text = header_[column] + ": " + row[column];
            lines +=
                "  " + wrap(text, max_width - std::min<std::size_t>(max_width, 4), 4) + "\n";
        }
    }
    return lines;
}

std::string Table::to_string(std::size_t max_width) const
{
    std::vector<std::size_t> columns = {0};
    std::size_t used = width(0);
    std::string parts;
    for (std::size_t column = 1; column < header_.size(); ++column) {
        const std::size_t more = 2 + width(column);
        if (width(0) + more > max_width) {
            return lists(max_width);
        }
        if (used + more > max_width) {
            parts += part(columns) + "\n";
            columns = {0};
            used = width(0);
        }
        columns.push_back(column);
        used += more;
    }
    return parts + part(columns);
}

} // namespace attn::program
