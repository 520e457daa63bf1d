#include "chapters/03_scoring_functions/exercises/solutions.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

using namespace attn;
using namespace attn::scoring_functions;
using namespace attn::testing;

TEST_CASE("exercise 3.1, a dot product of longer vectors is a distance", "[03][solution]")
{
    const Matrix queries = random_matrix(6, 3, 90);
    const Matrix keys = random_matrix(8, 3, 91) * 2.0;
    const Matrix scores =
        lookup::dot_product(solutions::longer_queries(queries), solutions::longer_keys(keys));
    check_close(scores, dot_with_key_bias(queries, keys), 1e-12);
    const Matrix nearest = lookup::one_hot(lookup::minus_half_squared_distance(queries, keys));
    CHECK((lookup::one_hot(scores) == nearest));
    CHECK((lookup::one_hot(lookup::dot_product(queries, keys)) != nearest));
}

TEST_CASE("exercise 3.2, two projections are one matrix of low rank", "[03][solution]")
{
    const Matrix queries = random_matrix(4, 5, 92);
    const Matrix keys = random_matrix(6, 3, 93);
    const Matrix U = random_matrix(2, 5, 94);
    const Matrix V = random_matrix(2, 3, 95);
    const Matrix W = solutions::matrix_of_projected(U, V);
    REQUIRE(W.shape(0) == 5);
    REQUIRE(W.shape(1) == 3);
    check_close(multiplicative(queries, keys, W), solutions::projected(queries, keys, U, V),
                1e-12);
    CHECK_THROWS_AS(solutions::projected(queries, keys, U, random_matrix(1, 3, 96)),
                    ContractError);
    CHECK_THROWS_AS(solutions::matrix_of_projected(U, random_matrix(1, 3, 96)), ContractError);
}

TEST_CASE("exercise 3.3, a query that sums to one brings the bias along", "[03][solution]")
{
    Matrix queries = xt::eye<double>(4); // one-hot: each row sums to 1
    queries(0, 0) = 0.5;
    queries(0, 1) = 0.5;
    const Matrix keys = random_matrix(5, 3, 97);
    const Additive parameters = {random_matrix(6, 4, 98),
                                 random_matrix(6, 3, 99),
                                 {0.5, -1, 2, 0.25, 0, -3},
                                 {1, 2, -1, 0.5, -2, 1}};
    const Additive unbiased = solutions::without_bias(parameters);
    CHECK((unbiased.b == xt::zeros<double>({6})));
    check_close(additive(queries, keys, unbiased), additive(queries, keys, parameters), 1e-12);
    // For queries that sum to anything it is another score.
    const Matrix others = random_matrix(4, 4, 100);
    CHECK(xt::amax(xt::abs(additive(others, keys, unbiased) -
                           additive(others, keys, parameters)))() > 0.1);
}
