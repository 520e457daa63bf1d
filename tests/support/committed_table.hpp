/// \file
/// \brief The tables that a chapter's program wrote over its seeds, as they are committed: the
/// numbers of a table that are asked for together, and whether a training begins with the losses
/// in it.
#pragma once

#include "common/kernels/instruction_sets.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace attn::testing {

/// A committed file of a chapter.
/// \param chapter  the chapter's id; without it, that of the chapter tested
inline std::string committed_text(const std::string& file,
                                  const std::string& chapter = ATTN_CHAPTER)
{
    return program::read_file(std::filesystem::path(ATTN_SOURCE_DIR) / "chapters" / chapter /
                              "expected" / file);
}

/// A committed table of a chapter.
/// \throws BadInput if a cell holds no number
inline program::NumericTable committed_table(const std::string& file,
                                             const std::string& chapter = ATTN_CHAPTER)
{
    return program::parse_numeric_csv(committed_text(file, chapter), file);
}

/// The cells of a line of a CSV file without quotes.
inline std::vector<std::string> cells_of(const std::string& line)
{
    std::istringstream text(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(text, cell, ',');) {
        cells.push_back(cell);
    }
    return cells;
}

/// The numbers of a column in the rows of a committed table where other columns have given names.
/// \param where  columns and the names in them
/// \returns      sorted, at least one
inline std::vector<double>
committed_numbers(const std::string& file, const std::string& column,
                  const std::vector<std::pair<std::string, std::string>>& where)
{
    std::istringstream text(committed_text(file));
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> header = cells_of(line);
    std::vector<double> numbers;
    while (std::getline(text, line)) {
        const std::vector<std::string> cells = cells_of(line);
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < header.size(); ++i) {
            row[header[i]] = cells.at(i);
        }
        if (std::all_of(where.begin(), where.end(), [&](const auto& condition) {
                return row.at(condition.first) == condition.second;
            })) {
            numbers.push_back(std::stod(row.at(column)));
        }
    }
    REQUIRE_FALSE(numbers.empty());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Checks that a training begins with committed losses. With kernels that round twice, those for
/// SSE4.2, differences grow with the steps: there 1e-3 is asked.
/// \param losses     of the training, one a step
/// \param committed  of its first steps, as a program wrote them
/// \param n_digits   significant ones of what is committed
inline void check_first_losses(const std::vector<double>& losses,
                               const std::vector<double>& committed, int n_digits = 6)
{
    REQUIRE(!committed.empty());
    REQUIRE(losses.size() >= committed.size());
    for (std::size_t step = 0; step < committed.size(); ++step) {
        CAPTURE(step);
        if (kernels::default_kernels().fused) {
            CHECK(program::significant(losses[step], n_digits) ==
                  program::significant(committed[step], n_digits));
        } else {
            CHECK_THAT(losses[step], Catch::Matchers::WithinAbs(committed[step], 1e-3));
        }
    }
}

} // namespace attn::testing
