/// \file
/// \brief Reads tables of numbers from CSV files that readers bring along. A cell that is not a
/// finite number is an error that names its file, line and column, never a silent gap. Columns
/// are separated by commas, decimals have a point.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// A table of finite numbers with named columns.
struct NumericTable
{
    std::string source;                       ///< the file's name, for messages
    std::vector<std::string> names;           ///< one for each column, all different
    std::vector<std::vector<double>> columns; ///< [n_columns][n_rows]

    /// \returns how many rows each column has, at least 1 after reading
    std::size_t n_rows() const;

    /// A column by its name.
    /// \throws BadInput if there is none; the message lists those that there are
    const std::vector<double>& column(std::string_view name) const;

    /// A column by its name, as a tensor.
    /// \returns [n_rows]
    /// \throws BadInput if there is none; the message lists those that there are
    Vector vector(std::string_view name) const;
};

/// Reads a CSV file of numbers. The first line names the columns; if it holds nothing but
/// numbers, it is data and the names are "column 1", "column 2", ... Quoted cells, a byte
/// order mark, CR LF, a missing last line break and empty lines at the end are accepted.
/// \param file  at most 256 MiB
/// \returns     at least one column and one row
/// \throws BadInput if it cannot be read or is anything else than that
NumericTable read_numeric_csv(const std::filesystem::path& file);

/// The same for a text at hand.
/// \param source_name  what stands for the file's name in messages
/// \throws BadInput as read_numeric_csv
NumericTable parse_numeric_csv(std::string_view text, std::string_view source_name);

} // namespace attn::program
