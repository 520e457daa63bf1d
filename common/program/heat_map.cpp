#include "common/program/heat_map.hpp"

#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace attn::program {

namespace {

constexpr std::array<std::string_view, 5> shades = {" ", "░", "▒", "▓", "█"};

void expect_drawable(const HeatMap& map, std::size_t max_columns)
{
    const std::size_t n_rows = map.weights.shape(0);
    const std::size_t n_keys = map.weights.shape(1);
    expect(max_columns >= 1, "render: max_columns must be at least 1, got 0");
    expect(n_keys >= 1, "render: weights must have at least one key, got none");
    expect(map.row_labels.empty() || map.row_labels.size() == n_rows,
           "render: row_labels must be one for each of the {} queries, got {}", n_rows,
           map.row_labels.size());
    expect(map.column_labels.empty() || map.column_labels.size() == n_keys,
           "render: column_labels must be one for each of the {} keys, got {}", n_keys,
           map.column_labels.size());
    for (const double weight : map.weights) {
        expect(!(weight < 0) && !std::isinf(weight),
               "render: weights must be finite and not negative, got {}", weight);
    }
}

/// Sums the weights of neighbouring keys.
Matrix sum_neighbours(const Matrix& weights, std::size_t n_together)
{
    const std::size_t n_blocks = (weights.shape(1) + n_together - 1) / n_together;
    Matrix sums = xt::zeros<double>({weights.shape(0), n_blocks}); // [n_queries, n_blocks]
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sums(i, j / n_together) += weights(i, j);
        }
    }
    return sums;
}

/// The largest weight; what is not a number is passed over.
double largest(const Matrix& weights)
{
    double most = 0;
    for (const double weight : weights) {
        most = std::max(most, std::isnan(weight) ? 0 : weight);
    }
    return most;
}

/// The shade nearest to a weight. The nudge decides ties alike on every machine.
std::string_view shade(double weight, double most)
{
    if (std::isnan(weight)) {
        return "?";
    }
    return most > 0 ? shades[static_cast<std::size_t>(4 * weight / most + 0.5 + 1e-9)] : " ";
}

/// How wide a cell is and what is between two of them.
struct CellLayout
{
    std::size_t width;
    std::size_t gap;
    bool labelled;
};

/// Wide cells with labels if they fit, else two columns a key, else one.
CellLayout choose_cells(const HeatMap& map, std::size_t n_blocks, std::size_t max_columns)
{
    std::size_t width = 2;
    for (const std::string& label : map.column_labels) {
        width = std::max(width, display_width(label));
    }
    const bool one_key_a_block = n_blocks == map.weights.shape(1);
    if (!map.column_labels.empty() && one_key_a_block &&
        n_blocks * (width + 1) <= max_columns + 1) {
        return {width, 1, true};
    }
    return {n_blocks * 2 <= max_columns ? std::size_t{2} : std::size_t{1}, 0, false};
}

/// The lines above the blocks: what the rows and columns are, and the keys' labels.
std::string heading(const HeatMap& map, const CellLayout& cells, std::size_t label_width)
{
    std::string lines;
    if (!map.row_caption.empty() || !map.column_caption.empty()) {
        lines +=
            to_the_right(map.row_caption.empty() ? "" : map.row_caption + " ↓", label_width) +
            (map.column_caption.empty() ? "" : "  " + map.column_caption + " →") + "\n";
    }
    if (cells.labelled) {
        std::string line = std::string(label_width + 1, ' ');
        for (const std::string& label : map.column_labels) {
            line += ' ' + to_the_right(label, cells.width);
        }
        lines += line + "\n";
    }
    return lines;
}

std::string legend(const Matrix& weights, double most, std::size_t n_together)
{
    std::string lines;
    if (n_together > 1) {
        lines += fmt::format("each column is the sum of {} neighbouring keys\n", n_together);
    }
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return std::isnan(w); })) {
        lines += "? is not a number\n";
    }
    if (!(most > 0)) {
        return lines + "all weights are zero\n";
    }
    return lines +
           fmt::format("█ {}, the largest; ▓ 3/4, ▒ 1/2, ░ 1/4 of it; blank: below 1/8\n",
                       significant(most, 3));
}

} // namespace

std::string render(const HeatMap& map, std::size_t max_columns)
{
    expect_drawable(map, max_columns);
    const std::size_t n_keys = map.weights.shape(1);
    const std::size_t n_together = (n_keys + max_columns - 1) / max_columns;
    const Matrix weights = sum_neighbours(map.weights, n_together); // [n_queries, n_blocks]
    const double most = largest(weights);
    const CellLayout cells = choose_cells(map, weights.shape(1), max_columns);

    std::size_t label_width = map.row_caption.empty() ? 0 : display_width(map.row_caption) + 2;
    for (const std::string& label : map.row_labels) {
        label_width = std::max(label_width, display_width(label));
    }
    std::string lines = heading(map, cells, label_width);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        lines +=
            to_the_right(map.row_labels.empty() ? "" : map.row_labels[i], label_width) + " │";
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            lines += j == 0 ? "" : std::string(cells.gap, ' ');
            for (std::size_t column = 0; column < cells.width; ++column) {
                lines += shade(weights(i, j), most);
            }
        }
        lines += "│\n";
    }
    return lines + legend(weights, most, n_together);
}

} // namespace attn::program
