/// \file
/// \brief The bodies of csv_columns.hpp.
#include "common/program/csv_columns.hpp"

#include "common/tensor/check.hpp"

#include <fmt/format.h>

namespace attn::program {

CsvColumns& CsvColumns::add_each(const std::vector<std::string>& names, const Matrix& matrix,
                                 NumberFormat format, int digits)
{
    expect_columns(matrix, names.size(), "CsvColumns::add_each", "matrix", "one name a column");
    for (std::size_t column = 0; column < names.size(); ++column) {
        add(names[column], column_of(matrix, column), format, digits);
    }
    return *this;
}

std::vector<std::string> numbered(const std::string& name, std::size_t n)
{
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= n; ++i) {
        names.push_back(fmt::format("{}_{}", name, i));
    }
    return names;
}

} // namespace attn::program
