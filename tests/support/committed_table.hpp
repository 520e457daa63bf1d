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

/// The numbers of a column in the rows where other columns have given values.
/// \param where  names of columns and their values
/// \returns      sorted
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
