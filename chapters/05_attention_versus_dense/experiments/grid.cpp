#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <cmath>

namespace attn::attention_versus_dense {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::side_by_side;
using program::Spread;

Grid::Grid(const Frame& frame, std::vector<std::string> rows, std::vector<std::string> columns)
    : seeds_(seeds_of(frame)), rows_(std::move(rows)), columns_(std::move(columns)),
      values_(rows_.size(), std::vector<std::vector<double>>(
                                columns_.size(), std::vector<double>(seeds_.size())))
{
}

void Grid::fill(const Frame& frame,
                const std::function<double(std::size_t, std::size_t, std::uint64_t)>& measure)
{
    const std::size_t a_column = rows_.size() * seeds_.size();
    side_by_side(frame, "training", columns_.size() * a_column, [&](std::size_t index) {
        const std::size_t column = columns_.size() - 1 - index / a_column;
        const std::size_t row = rows_.size() - 1 - index % a_column / seeds_.size();
        const std::uint64_t seed = seeds_[index % seeds_.size()];
        at(row, column, seed) = measure(row, column, seed);
    });
}

void Grid::print(Frame& frame, const std::string& header,
                 const std::vector<std::vector<std::string>>& more, std::size_t begin,
                 std::size_t end) const
{
    std::vector<std::string> names = {header};
    names.insert(names.end(), columns_.begin(), columns_.end());
    program::Table table(names);
    double widest = 0;
    for (std::size_t row = begin; row < std::min(end, rows_.size()); ++row) {
        std::vector<std::string> cells = {rows_[row]};
        for (const std::vector<double>& values : values_[row]) {
            const bool none = std::isnan(values.front());
            const Spread spread(values);
            widest = none ? widest : std::max(widest, spread.highest() - spread.lowest());
            cells.push_back(none ? "-" : fixed(spread.median(), 3));
        }
        table.row(cells);
    }
    for (const std::vector<std::string>& cells : more) {
        table.row(cells);
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph("The largest difference between two seeds: " + fixed(widest, 3) +
                             ".");
}

void Grid::write(Frame& frame, const char* file, const char* key,
                 const std::vector<std::string>& names) const
{
    program::CsvColumns csv;
    csv.add(key, names.empty() ? columns_ : names);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        csv.add_spreads(program::column_name(rows_[row]),
                        {values_[row].begin(), values_[row].end()}, fixed, 4, "_lowest",
                        "_highest");
    }
    frame.files.write_csv(file, csv);
}

} // namespace attn::attention_versus_dense
