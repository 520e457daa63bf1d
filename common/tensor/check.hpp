/// \file
/// \brief Preconditions that speak: what a function demanded, and what came instead. They are
/// exceptions and not assertions, so that a reader's bad input ends in a sentence and not in a
/// core dump.
#pragma once

#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attn {

/// A function was called against its contract. The message names the function, the
/// argument, what was wanted and what came.
class ContractError : public std::invalid_argument
{
public:
    using std::invalid_argument::invalid_argument;
};

/// Demands a condition. The message is put together only if the condition does not hold, so
/// that a check costs a comparison.
/// \param message  "function: argument must be ..., got {}", as fmt::format takes it
/// \throws ContractError with the message if the condition does not hold
template <typename... Arguments>
void expect(bool condition, fmt::format_string<const Arguments&...> message,
            const Arguments&... arguments)
{
    if (!condition) [[unlikely]] {
        throw ContractError(fmt::format(message, arguments...));
    }
}

/// Demands a finite number above zero.
/// \param function  the function's name, for the message
/// \param argument  the argument's name, for the message
/// \throws ContractError if the value is zero, negative, infinite or not a number
void expect_positive(double value, std::string_view function, std::string_view argument);

/// Demands that a matrix has a given number of rows.
/// \param matrix  [n_rows, any]
/// \param reason  why that number: "one row a key"
/// \throws ContractError if it has another number of rows; the message holds both shapes
void expect_rows(const Matrix& matrix, std::size_t n_rows, std::string_view function,
                 std::string_view argument, std::string_view reason);

/// Demands that a matrix has a given number of columns.
/// \param matrix  [any, n_columns]
/// \param reason  why that number: "as many as a query has"
/// \throws ContractError if it has another number of columns; the message holds both shapes
void expect_columns(const Matrix& matrix, std::size_t n_columns, std::string_view function,
                    std::string_view argument, std::string_view reason);

/// Demands that no entry is infinite or not a number.
/// \throws ContractError naming the first offending entry by row and column
void expect_finite(const Matrix& matrix, std::string_view function, std::string_view argument);

/// A shape as it is written on the page.
/// \returns for instance "[2, 3]"
std::string shape_of(const Matrix& matrix);

} // namespace attn
