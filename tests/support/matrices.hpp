/// \file
/// \brief Matrices for tests: random ones, and the comparison of two entry by entry.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/tensor.hpp"
#include "tests/support/catch.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::testing {

/// A matrix of standard normal numbers, the same on every run.
/// \returns [n_rows, n_columns]
inline Matrix random_matrix(std::size_t n_rows, std::size_t n_columns, std::uint64_t stream)
{
    return random::Generator(11, stream).normals(n_rows, n_columns);
}

/// The sum of a row, which is 1 for weights.
inline double row_sum(const Matrix& matrix, std::size_t row)
{
    double sum = 0;
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        sum += matrix(row, column);
    }
    return sum;
}

/// Checks that a vector has as many numbers as are wanted, and nearly these; a failure names the
/// entry.
/// \param tolerance  largest absolute difference allowed
inline void check_numbers(const Vector& actual, const Vector& wanted, double tolerance)
{
    REQUIRE(actual.size() == wanted.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        CAPTURE(i);
        CHECK_THAT(actual(i), Catch::Matchers::WithinAbs(wanted(i), tolerance));
    }
}

/// Checks that two matrices have the same shape and nearly the same entries; a failure
/// names the entry.
/// \param tolerance  largest absolute difference allowed
inline void check_close(const Matrix& actual, const Matrix& wanted, double tolerance)
{
    REQUIRE(actual.shape() == wanted.shape());
    for (std::size_t i = 0; i < actual.shape(0); ++i) {
        for (std::size_t j = 0; j < actual.shape(1); ++j) {
            CAPTURE(i, j);
            CHECK_THAT(actual(i, j), Catch::Matchers::WithinAbs(wanted(i, j), tolerance));
        }
    }
}

} // namespace attn::testing
