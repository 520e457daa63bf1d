/// \file
/// \brief A table of models and settings with a number for each seed: filled side by side,
/// printed as medians, kept with the lowest and the highest. Deliberately only plumbing of this
/// chapter's reports.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace attn::attention_versus_dense::report {

/// Names of rows and columns, and the numbers of all seeds.
class Grid
{
public:
    /// \param rows     the models, as in the tables
    /// \param columns  the settings, as in the tables
    Grid(std::vector<std::string> rows, std::vector<std::string> columns);

    /// Asks for every number, several at a time; the last columns, which take longest, first.
    /// \param frame  of the program: seeds, threads
    /// \param label  what the line of progress says
    /// \param ask    the number of a row, a column and a seed; nan for none
    void fill(const program::Frame& frame, const char* label,
              const std::function<double(std::size_t row, std::size_t column,
                                         std::uint64_t seed)>& ask);

    /// Prints the median of each place, a dash where there is none, and how far seeds differ.
    /// \param frame   of the program
    /// \param header  over the names of the rows
    /// \param more    rows to stand below: a name and a cell a column
    void print(program::Frame& frame, const std::string& header,
               const std::vector<std::vector<std::string>>& more) const;

    /// Keeps a line for each column: its number, and of each row the lowest, the median and
    /// the highest, as `name_lowest`, `name` and `name_highest`.
    /// \param frame    of the program
    /// \param file     its name
    /// \param key      the name of the first column
    /// \param numbers  [n_columns], what stands there
    void write(program::Frame& frame, const char* file, const char* key,
               const std::vector<double>& numbers) const;

private:
    std::vector<std::string> rows_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::vector<double>>> values_; ///< [rows][columns][seeds]
};

/// A name as it stands in a CSV file: "attention, b_t" becomes "attention_b_t".
/// \param name  of a model
/// \returns     letters, digits and single underscores
std::string column_name(const std::string& name);

} // namespace attn::attention_versus_dense::report
