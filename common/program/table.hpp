/// \file
/// \brief A table of text for the terminal. Cells come formatted (fixed, significant), so that
/// a page's digits are chosen where they are made.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn::program {

/// A header and rows of cells; columns are aligned when it is printed.
class Table
{
public:
    /// Begins without rows.
    explicit Table(std::vector<std::string> header);

    /// Adds a row.
    /// \param cells  one for each column, already formatted; may be empty texts
    /// \throws ContractError if there are more or fewer cells than columns
    Table& row(std::vector<std::string> cells);

    /// \returns the table: columns two blanks apart, a rule under the header, a line break
    ///          at the end. A column stands to the right if most of its cells are numbers.
    ///          What is wider than a terminal is cut into tables that each begin with the first
    ///          column; where not even two columns fit, each row is a list of its cells.
    /// \param max_width  columns of the terminal
    std::string to_string(std::size_t max_width = static_cast<std::size_t>(-1)) const;

private:
    std::string part(const std::vector<std::size_t>& columns) const;
    std::string lists(std::size_t max_width) const;
    std::size_t width(std::size_t column) const;

    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace attn::program
