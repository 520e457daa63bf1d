#include "common/program/trace.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace attn::program {

namespace {

constexpr int most_decimals = 4;

/// "n_queries, d" as two names.
std::vector<std::string> split_dims(std::string_view dims)
{
    std::vector<std::string> names;
    while (!dims.empty()) {
        const std::size_t comma = std::min(dims.find(','), dims.size());
        const std::string_view name = dims.substr(0, comma);
        names.push_back(wrap(name, name.size())); // without the blanks around it
        dims.remove_prefix(std::min(comma + 1, dims.size()));
    }
    return names;
}

bool is_shown_exactly(double x, int decimals)
{
    const double scaled = x * elementary::power(10, decimals);
    return !std::isfinite(x) || std::abs(scaled - std::round(scaled)) < 1e-9;
}

/// How the entries are printed: alike, with as few decimals as do them justice.
std::vector<std::string> format_entries(const std::vector<double>& entries)
{
    double most = 0;
    for (const double x : entries) {
        most = std::max(most, std::isfinite(x) ? std::abs(x) : 0);
    }
    int decimals = 0;
    const auto exact = [&](double x) { return is_shown_exactly(x, decimals); };
    while (decimals < most_decimals && !std::all_of(entries.begin(), entries.end(), exact)) {
        ++decimals;
    }
    const bool readable = most == 0 || (most >= 1e-3 && most < 1e6);
    std::vector<std::string> cells;
    for (const double x : entries) {
        cells.push_back(readable ? fixed(x, decimals) : significant(x, most_decimals));
    }
    return cells;
}

/// Prints the line that names a tensor, then its rows, columns to the right.
void print(Terminal& terminal, const std::string& title, const std::vector<double>& entries,
           std::size_t n_columns)
{
    terminal.line(title);
    const std::vector<std::string> cells = format_entries(entries);
    std::size_t width = 0;
    for (const std::string& cell : cells) {
        width = std::max(width, cell.size());
    }
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row += fmt::format("  {:>{}}", cells[i], width);
        if ((i + 1) % n_columns == 0) {
            terminal.line(row);
            row.clear();
        }
    }
}

} // namespace

void trace(Terminal& terminal, std::string_view name, std::string_view meaning,
           std::string_view dims, const Matrix& values)
{
    const std::vector<std::string> names = split_dims(dims);
    expect(names.size() == 2, "trace: dims must name two dimensions, got '{}'", dims);
    print(terminal,
          fmt::format("{} [{} = {}, {} = {}]: {}", name, names[0], values.shape(0), names[1],
                      values.shape(1), meaning),
          {values.begin(), values.end()}, values.shape(1));
}

void trace(Terminal& terminal, std::string_view name, std::string_view meaning,
           std::string_view dims, const Vector& values)
{
    const std::vector<std::string> names = split_dims(dims);
    expect(names.size() == 1, "trace: dims must name one dimension, got '{}'", dims);
    print(terminal, fmt::format("{} [{} = {}]: {}", name, names[0], values.size(), meaning),
          {values.begin(), values.end()}, values.size());
}

void trace_inputs(Terminal& terminal, const Matrix& queries, const Matrix& keys,
                  const Matrix& values)
{
    trace(terminal, "Q", "the queries", "n_queries, d", queries);
    trace(terminal, "K", "the keys", "n_keys, d", keys);
    trace(terminal, "V", "the values", "n_keys, d_v", values);
}

} // namespace attn::program
