#include "common/tensor/check.hpp"

#include "tests/support/catch.hpp"

#include <limits>

using attn::ContractError;
using attn::Matrix;
using attn::testing::contains;

TEST_CASE("a broken contract names the function, the argument, what was wanted and what came",
          "[tensor]")
{
    const Matrix matrix = xt::zeros<double>({2, 3});
    CHECK_THROWS_WITH(attn::expect_rows(matrix, 4, "attend", "values", "one row a key"),
                      "attend: values must have shape [4, 3], one row a key, got [2, 3]");
    CHECK_THROWS_WITH(
        attn::expect_columns(matrix, 5, "dot", "queries", "as many columns as a key has"),
        "dot: queries must have shape [2, 5], as many columns as a key has, got [2, 3]");
    CHECK_NOTHROW(attn::expect_rows(matrix, 2, "attend", "values", "one row a key"));
    CHECK_NOTHROW(attn::expect_columns(matrix, 3, "dot", "queries", "one row a key"));
}

TEST_CASE("only positive and finite numbers are positive", "[tensor]")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {0.0, -0.0, -1.0, infinity, -infinity, nan}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(attn::expect_positive(bad, "softmax", "temperature"), ContractError);
    }
    CHECK_THROWS_WITH(attn::expect_positive(-1, "softmax", "temperature"),
                      "softmax: temperature must be positive and finite, got -1");
    CHECK_NOTHROW(attn::expect_positive(1e-300, "softmax", "temperature"));
}

TEST_CASE("the first entry that is not finite is named by its place", "[tensor]")
{
    Matrix matrix = xt::zeros<double>({2, 3});
    CHECK_NOTHROW(attn::expect_finite(matrix, "read", "keys"));
    matrix(1, 2) = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH(attn::expect_finite(matrix, "read", "keys"),
                      "read: keys must hold finite numbers, got inf in row 1, column 2");
}

TEST_CASE("vectors become columns and columns vectors", "[tensor]")
{
    const attn::Vector numbers = {1, 2, 3};
    const Matrix column = attn::as_column(numbers);
    CHECK(attn::shape_of(column) == "[3, 1]");
    CHECK((attn::column_of(column, 0) == numbers));
}
