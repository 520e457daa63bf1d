/// \file
/// \brief Attention weights as shaded blocks in the terminal: queries down, keys across, as in
/// every figure of the book.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::program {

/// Weights and what stands beside them.
struct HeatMap
{
    Matrix weights;                         ///< [n_queries, n_keys], not negative
    std::vector<std::string> row_labels;    ///< one for each query, or empty
    std::string row_caption;                ///< what the rows are: "query"
    std::string column_caption;             ///< what the columns are: "speed of the key"
    std::vector<std::string> column_labels; ///< one for each key, or empty
};

/// Draws a heat map. The darkest shade is the largest weight, a blank is next to nothing,
/// and a question mark is not a number. Keys that do not fit are summed with their
/// neighbours, and a line says so; labels of columns that do not fit are left out.
/// \param max_columns  how wide the blocks may become altogether, at least 1
/// \returns            lines, each with its line break; a legend is the last
/// \throws ContractError if labels and weights disagree, or a weight is below zero
std::string render(const HeatMap& map, std::size_t max_columns = 64);

} // namespace attn::program
