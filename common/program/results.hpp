/// \file
/// \brief What experiments found: a table of rows, each about something by name, whose numbers the
/// terminal, a file and the pages take from here and from nowhere else.
#pragma once

#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/spread.hpp"
#include "common/program/table.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// What a cell of a printed table makes of the numbers of its rows, one a seed or a draw.
enum class Cell
{
    median, ///< the middle one
    spread, ///< lowest/median/highest
};

/// Which rows a column of a printed table is about.
struct Where
{
    std::string key;  ///< a column of names; empty: all rows
    std::string name; ///< in it
};

/// A column of a printed table.
struct ViewColumn
{
    std::string title;           ///< in the table's head
    std::string number;          ///< the column of the results
    int digits;                  ///< decimals, or significant digits
    Cell cell = Cell::median;    ///< what is shown of several rows
    NumberFormat format = fixed; ///< or `significant`
    Where where = {};            ///< without it, of all rows with the row's name
};

/// Which of the results are printed, and how: data, no code. A row is printed for each name, of
/// all results that have it; a number that is not there is a dash.
struct View
{
    std::string title;               ///< above the names
    std::vector<ViewColumn> columns; ///< beside them
    std::vector<std::string> rows =
        {}; ///< names of results, in their order here; empty: all, as added
    std::function<std::string(const std::string& name)> shown =
        {}; ///< how a name is printed; empty: as it is
};

/// Rows of numbers about something: a kind, a seed, a length. Names are as tables print them; a
/// file has their keys.
class Results
{
public:
    /// Begins without rows.
    /// \param keys     columns of names, the first of which is what a View's rows are named by
    /// \param numbers  columns of numbers, as a file has them
    /// \param shown    further columns, which tables show and no file has
    Results(std::vector<std::string> keys, std::vector<CsvColumn> numbers,
            const std::vector<std::string>& shown = {});

    /// Adds a row.
    /// \param names    [n_keys]
    /// \param numbers  [n_numbers + n_shown], nan where there is none
    /// \throws ContractError if there is not one a column
    Results& add(const std::vector<std::string>& names, const std::vector<double>& numbers);

    /// A number of all rows with a name, as they were added.
    /// \param name    in the first column of names
    /// \param number  of the column
    /// \returns       at least one
    /// \throws ContractError if there is no such column or row
    std::vector<double> of(std::string_view name, std::string_view number) const
    {
        return of(name, number, {});
    }

    /// The lowest, the middle and the highest of these numbers.
    /// \throws ContractError if there is no such column or row
    Spread spread_of(std::string_view name, std::string_view number) const
    {
        return Spread(of(name, number));
    }

    /// The names in the first column, each once, as they were added.
    std::vector<std::string> names() const;

    /// The table of a view.
    /// \throws ContractError if it names a column or a row that there is not
    Table table(const View& view) const;

    /// All rows as a file has them: the names' keys (key_name), then the numbers in their digits.
    /// \throws ContractError if no key is left of a name
    CsvColumns columns() const;

private:
    std::size_t number_at(std::string_view number) const;
    std::vector<double> of(std::string_view name, std::string_view number,
                           const Where& where) const;

    std::vector<std::string> keys_;
    std::vector<CsvColumn> numbers_;              ///< the saved ones first
    std::size_t n_saved_;                         ///< columns of numbers that a file has
    std::vector<std::vector<std::string>> names_; ///< [n_rows][n_keys]
    std::vector<std::vector<double>> rows_;       ///< [n_rows][n_numbers]
};

} // namespace attn::program
