/// \file
/// \brief What the program wrote over its seeds, as it is committed. Deliberately only read:
/// the target figures makes it.
#pragma once

#include "common/program/atomic_file.hpp"
#include "common/program/csv.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace attn::testing {

/// A committed table of chapter 11.
/// \param file  its name
/// \returns     the table
inline program::NumericTable committed_table(const std::string& file)
{
    const std::filesystem::path folder =
        std::filesystem::path(ATTN_SOURCE_DIR) / "chapters/11_multi_head/expected";
    return program::parse_numeric_csv(program::read_file(folder / file), file);
}

/// The numbers of a column in the rows where other columns have given values.
/// \param table   any
/// \param column  whose numbers
/// \param where   names of columns and their values
/// \returns       sorted
inline std::vector<double>
numbers_where(const program::NumericTable& table, const std::string& column,
              const std::vector<std::pair<std::string, double>>& where)
{
    std::vector<double> numbers;
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        const bool fits = std::all_of(where.begin(), where.end(), [&](const auto& condition) {
            return table.column(condition.first)[row] == condition.second;
        });
        if (fits) {
            numbers.push_back(table.column(column)[row]);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

} // namespace attn::testing
