/// \file
/// \brief Columns of numbers in CSV files: those that readers bring along, and those that a
/// program writes, one after another or row by row. In a file that is read, a cell that is not a
/// finite number is an error that names its file, line and column, never a silent gap. Columns
/// are separated by commas, decimals have a point; where a file seems to be made otherwise, the
/// message says what was found. Files whose lines end in CR alone are refused.
#pragma once

#include "common/program/number.hpp"
#include "common/program/spread.hpp"
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
/// numbers, it is data and the names are "column 1", "column 2", ... Words that stand for no
/// finite number, such as inf and nan, are names where a name or a row of numbers is beside them.
/// Quoted cells with line breaks inside, a byte order mark, the line "sep=,", CR LF, a missing
/// last line break and empty lines at the end are accepted.
/// \param file  at most 256 MiB
/// \returns     at least one column and one row
/// \throws BadInput if it cannot be read or is anything else than that
NumericTable read_numeric_csv(const std::filesystem::path& file);

/// The same for a text at hand.
/// \param source_name  what stands for the file's name in messages
/// \throws BadInput as read_numeric_csv
NumericTable parse_numeric_csv(std::string_view text, std::string_view source_name);

/// Named columns of numbers, already in their final digits.
class CsvColumns
{
public:
    /// Adds one column.
    /// \param numbers  [n_rows]
    template <typename Range>
    CsvColumns& add(const std::string& name, const Range& numbers, NumberFormat format,
                    int digits)
    {
        names_.push_back(name);
        cells_.push_back(texts_of(numbers, format, digits));
        return *this;
    }

    /// Adds a column of names, which hold no comma and no quote.
    /// \param names  [n_rows]
    CsvColumns& add(const std::string& name, const std::vector<std::string>& names);

    /// Adds every column of a matrix.
    /// \param matrix  [n_rows, n_columns]
    /// \throws ContractError if there is not one name a column
    CsvColumns& add_each(const std::vector<std::string>& names, const Matrix& matrix,
                         NumberFormat format, int digits);

    /// Adds lowest, median and highest of several spreads: name_low, name and name_high.
    /// \param spreads  [n_rows]
    CsvColumns& add_spreads(const std::string& name, const std::vector<Spread>& spreads,
                            NumberFormat format, int digits, const char* low = "_low",
                            const char* high = "_high");

    /// The names, in the order in which the columns were added.
    /// \returns  [n_columns]
    const std::vector<std::string>& names() const { return names_; }

    /// The numbers as texts.
    /// \returns  [n_columns][n_rows]
    const std::vector<std::vector<std::string>>& cells() const { return cells_; }

private:
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> cells_;
};

/// A column of a file that is filled row by row.
struct CsvColumn
{
    std::string name;    ///< as the file's first line has it
    NumberFormat format; ///< `fixed`, `significant` or `shortest`
    int digits;          ///< decimals of the one, significant digits of the other
};

/// Rows of numbers, for a file whose rows come one after another.
class CsvRows
{
public:
    /// Begins without rows.
    explicit CsvRows(std::vector<CsvColumn> columns);

    /// Begins without rows, all columns of one format.
    CsvRows(const std::vector<std::string>& names, NumberFormat format, int digits);

    /// Adds one row.
    /// \param row  [n_columns]
    /// \throws ContractError if there is not one number a column
    CsvRows& add(const std::vector<double>& row);

    /// The rows as columns.
    CsvColumns columns() const;

private:
    std::vector<CsvColumn> columns_;
    std::vector<std::vector<double>> numbers_;
};

/// Names with a number behind each, from 1: "weight_1", "weight_2", ...
std::vector<std::string> numbered(const std::string& name, std::size_t n);

/// The first losses of a training, which are kept so that a test can see them again.
/// \returns those of the first hundred, or all if there are fewer
std::vector<double> first_losses(const std::vector<double>& losses);

/// A name as it stands in a CSV file: "attention, b_t" becomes "attention_b_t".
/// \returns letters, digits and single underscores
std::string column_name(const std::string& name);

/// A name as the key of a row in a CSV file: "RNN, 1/sqrt(d)" becomes "rnn_1_sqrt_d".
/// \returns lower-case letters, digits and single underscores between them; a number as it is
std::string key_name(const std::string& name);

/// The first losses of several trainings, a column each beside the number of the step.
/// \param names   as tables print them
/// \param losses  one list a name
CsvColumns first_losses_of(const std::vector<std::string>& names,
                           const std::vector<std::vector<double>>& losses);

} // namespace attn::program
