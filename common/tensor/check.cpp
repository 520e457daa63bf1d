#include "common/tensor/check.hpp"

#include <cmath>
#include <fmt/format.h>

namespace attn {

void expect_positive(double value, std::string_view function, std::string_view argument)
{
    if (!(value > 0 && std::isfinite(value))) {
        throw ContractError(fmt::format("{}: {} must be positive and finite, got {}", function,
                                        argument, value));
    }
}

void expect_rows(const Matrix& matrix, std::size_t n_rows, std::string_view function,
                 std::string_view argument, std::string_view reason)
{
    if (matrix.shape(0) != n_rows) {
        throw ContractError(fmt::format("{}: {} must have shape [{}, {}], {}, got {}", function,
                                        argument, n_rows, matrix.shape(1), reason,
                                        shape_of(matrix)));
    }
}

void expect_columns(const Matrix& matrix, std::size_t n_columns, std::string_view function,
                    std::string_view argument, std::string_view reason)
{
    if (matrix.shape(1) != n_columns) {
        throw ContractError(fmt::format("{}: {} must have shape [{}, {}], {}, got {}", function,
                                        argument, matrix.shape(0), n_columns, reason,
                                        shape_of(matrix)));
    }
}

void expect_finite(const Matrix& matrix, std::string_view function, std::string_view argument)
{
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            if (!std::isfinite(matrix(i, j))) {
                throw ContractError(
                    fmt::format("{}: {} must hold finite numbers, got {} in row {}, column {}",
                                function, argument, matrix(i, j), i, j));
            }
        }
    }
}

std::string shape_of(const Matrix& matrix)
{
    return fmt::format("[{}, {}]", matrix.shape(0), matrix.shape(1));
}

} // namespace attn
