/// \file
/// \brief The columns of a CSV file that a program writes, one after another.
/// Deliberately only a list of texts: the file itself is the output folder's business.
#pragma once

#include "common/program/number.hpp"
#include "common/tensor/tensor.hpp"

#include <string>
#include <vector>

namespace attn::program {

/// Named columns of numbers, already in their final digits.
class CsvColumns
{
public:
    /// Adds one column.
    /// \tparam Range   anything that can be iterated over and holds numbers
    /// \param name     the column's name
    /// \param numbers  [n_rows]
    /// \param format   `fixed` or `significant`
    /// \param digits   decimals of the one, significant digits of the other
    /// \returns        this
    template <typename Range>
    CsvColumns& add(const std::string& name, const Range& numbers, NumberFormat format,
                    int digits)
    {
        names_.push_back(name);
        cells_.push_back(texts_of(numbers, format, digits));
        return *this;
    }

    /// Adds every column of a matrix.
    /// \param names   one for each column
    /// \param matrix  [n_rows, n_columns]
    /// \param format  `fixed` or `significant`
    /// \param digits  decimals of the one, significant digits of the other
    /// \returns       this
    /// \throws ContractError if there is not one name a column
    CsvColumns& add_each(const std::vector<std::string>& names, const Matrix& matrix,
                         NumberFormat format, int digits);

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

/// Names with a number behind each, from 1: "weight_1", "weight_2", ...
/// \param name  what stands before the number
/// \param n     how many
/// \returns     [n]
std::vector<std::string> numbered(const std::string& name, std::size_t n);

} // namespace attn::program
