#include "common/program/table.hpp"

#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
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

std::string Table::to_string() const
{
    std::vector<std::size_t> width;
    std::vector<bool> numeric;
    for (std::size_t column = 0; column < header_.size(); ++column) {
        width.push_back(display_width(header_[column]));
        for (const std::vector<std::string>& row : rows_) {
            width.back() = std::max(width.back(), display_width(row[column]));
        }
        numeric.push_back(is_numeric(rows_, column));
    }

    const auto line = [&](const std::vector<std::string>& cells) {
        std::string joined;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            joined += column == 0 ? "" : "  ";
            joined += numeric[column] ? to_the_right(cells[column], width[column])
                                      : to_the_left(cells[column], width[column]);
        }
        return joined;
    };
    std::vector<std::string> rules;
    for (const std::size_t columns : width) {
        rules.push_back(fmt::format("{:─<{}}", "", columns));
    }
    std::string lines;
    append_line(lines, line(header_));
    append_line(lines, line(rules));
    for (const std::vector<std::string>& row : rows_) {
        append_line(lines, line(row));
    }
    return lines;
}

} // namespace attn::program
