#include "common/kernels/normal_equations.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

using attn::ContractError;
using attn::Matrix;
using attn::solve_symmetric;
using attn::transposed_product;
using Catch::Matchers::WithinAbs;

TEST_CASE("Cholesky solves what it is given", "[common][oracle]")
{
    const Matrix x = solve_symmetric({{4, 2}, {2, 3}}, {{8, 1}, {7, 2}});
    CHECK_THAT(x(0, 0), WithinAbs(1.25, 1e-12)); // 4 x + 2 y = 8, 2 x + 3 y = 7
    CHECK_THAT(x(1, 0), WithinAbs(1.5, 1e-12));
    CHECK_THAT(x(0, 1), WithinAbs(-0.125, 1e-12));
    CHECK_THAT(x(1, 1), WithinAbs(0.75, 1e-12));
    CHECK_THROWS_AS(solve_symmetric({{1, 2}, {2, 1}}, {{1}, {1}}), ContractError);
    CHECK_THROWS_AS(solve_symmetric({{1, 2}}, {{1}}), ContractError);
}

TEST_CASE("a row that depends on those before it has the solution 0", "[common][property]")
{
    const Matrix x = solve_symmetric({{1, 2, 0}, {2, 4, 0}, {0, 0, 2}}, {{3}, {6}, {8}});
    CHECK(x(0, 0) == 3);
    CHECK(x(1, 0) == 0);
    CHECK_THAT(x(2, 0), WithinAbs(4, 1e-12));
}

TEST_CASE("only the lower half is read", "[common][property]")
{
    const Matrix x = solve_symmetric({{4, 99}, {2, 3}}, {{8}, {7}});
    CHECK_THAT(x(0, 0), WithinAbs(1.25, 1e-12));
    CHECK_THAT(x(1, 0), WithinAbs(1.5, 1e-12));
}

TEST_CASE("a transposed product with a pencil", "[common][oracle]")
{
    const Matrix c = transposed_product({{1, 2}, {3, 4}}, {{5}, {6}});
    CHECK(c(0, 0) == 23);
    CHECK(c(1, 0) == 34);
    CHECK_THROWS_AS(transposed_product({{1, 2}}, {{5}, {6}}), ContractError);
}
