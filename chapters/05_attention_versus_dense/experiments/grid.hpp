/// \file
/// \brief A table of models and settings with a number for each seed: filled side by side,
/// printed as medians, written with the lowest and the highest.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

/// Names of rows and columns, and the numbers of all seeds.
class Grid
{
public:
    /// A row for each model, a column for each setting, named as in the tables; all numbers 0.
    Grid(const program::Frame& frame, std::vector<std::string> rows,
         std::vector<std::string> columns);

    /// One of the numbers. Several threads may write to different ones.
    double& at(std::size_t row, std::size_t column, std::uint64_t seed)
    {
        return values_[row][column][static_cast<std::size_t>(seed - seeds_.front())];
    }

    /// Measures every number, several at a time; the last columns, which take longest, first.
    /// \param measure  the number of a row, a column and a seed; nan for none
    void fill(const program::Frame& frame,
              const std::function<double(std::size_t row, std::size_t column,
                                         std::uint64_t seed)>& measure);

    /// Prints the median of each cell, a dash where there is none, and how far seeds differ.
    /// \param more   rows to stand below: a name and a cell a column
    /// \param begin  the first row to print
    /// \param end    the row after the last, or beyond all rows
    void print(program::Frame& frame, const std::string& header,
               const std::vector<std::vector<std::string>>& more, std::size_t begin = 0,
               std::size_t end = std::numeric_limits<std::size_t>::max()) const;

    /// Writes a line for each column: its number, and of each row the lowest, the median and
    /// the highest, as `name_lowest`, `name` and `name_highest`.
    /// \param numbers  [n_columns], what stands there
    void write(program::Frame& frame, const char* file, const char* key,
               const std::vector<double>& numbers) const;

private:
    std::vector<std::uint64_t> seeds_;
    std::vector<std::string> rows_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::vector<double>>> values_; ///< [rows][columns][seeds]
};

} // namespace attn::attention_versus_dense
