#include "chapters/01_lookup/exercises/solutions.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <limits>

using namespace attn;
using namespace attn::lookup;
using namespace attn::testing;

TEST_CASE("exercise 1.2, interpolation is attention with two weights a query", "[01][solution]")
{
    const Matrix keys = {{0}, {1}, {4}};
    const Matrix values = {{10}, {20}, {80}};
    const Matrix queries = {{-3}, {0}, {0.25}, {1}, {2.5}, {4}, {9}};
    const Matrix weights = solutions::interpolation_weights(queries, keys);
    check_close(weighted_sum(weights, values), {{10}, {10}, {12.5}, {20}, {50}, {80}, {80}},
                1e-12);
    check_close(weighted_sum(weights, xt::ones<double>({3, 1})), xt::ones<double>({7, 1}),
                1e-15);
    CHECK_THROWS_AS(solutions::interpolation_weights({{0}}, {{1}, {1}}), ContractError);
    CHECK_THROWS_AS(solutions::interpolation_weights({{0}}, Matrix::from_shape({0, 1})),
                    ContractError);
    CHECK_THROWS_AS(solutions::interpolation_weights({{0, 1}}, {{1}, {2}}), ContractError);
}

TEST_CASE("exercise 1.3, the context moves against the covariance of values and scores",
          "[01][solution]")
{
    const Matrix scores = random_matrix(4, 6, 51);
    const Matrix values = random_matrix(6, 3, 52);
    const double temperature = GENERATE(0.4, 1.0, 5.0);
    const double step = 1e-5;
    const auto context = [&](double t) { return weighted_sum(softmax(scores, t), values); };
    const Matrix difference =
        (context(temperature + step) - context(temperature - step)) / (2 * step);
    check_close(solutions::context_change_with_temperature(scores, values, temperature),
                difference, 1e-8);
    CHECK_THROWS_WITH(solutions::context_change_with_temperature(
                          {{1, -std::numeric_limits<double>::infinity()}}, {{1}, {2}}, 1),
                      testing::contains("scores must hold finite numbers, got -inf"));
}
