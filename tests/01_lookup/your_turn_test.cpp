#include "chapters/01_lookup/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;
namespace yours = attn::lookup::your_turn;

TEST_CASE("softmax, rows are distributions", "[01][your_turn]")
{
    const Matrix scores = random_matrix(3, 5, 1);
    const Matrix weights = yours::softmax(scores, 0.7);
    INFO("one weight for each score: the shape of the result is the shape of the scores");
    REQUIRE(weights.shape() == scores.shape());
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            INFO("no weight is negative: did you exponentiate?");
            CHECK(weights(i, j) >= 0);
            sum += weights(i, j);
        }
        INFO("each query's weights sum to 1: divide by the sum over the keys of its own row, "
             "not of a column or of the whole matrix; row "
             << i);
        CHECK_THAT(sum, WithinAbs(1, 1e-12));
    }
}

TEST_CASE("softmax, a gap of tau ln 2 in the scores doubles the weight", "[01][your_turn]")
{
    const double temperature = GENERATE(0.5, 1.0, 4.0);
    const Matrix weights = yours::softmax(
        {{0, temperature * std::log(2.0), -temperature * std::log(2.0)}}, temperature);
    INFO("at temperature " << temperature
                           << ": divide the scores by the temperature, do not multiply");
    CHECK_THAT(weights(0, 1) / weights(0, 0), WithinAbs(2, 1e-9));
    CHECK_THAT(weights(0, 2) / weights(0, 0), WithinAbs(0.5, 1e-9));
}

TEST_CASE("softmax, large scores do not overflow", "[01][your_turn]")
{
    const Matrix weights = yours::softmax({{1000, 1001}, {-1000, -1001}, {1e300, 0}}, 1.0);
    INFO("exp(1000) is infinite and infinity / infinity is not a number; exp(-1000) is 0 and "
         "0 / 0 is not one either: subtract each row's maximum before you exponentiate");
    CHECK_THAT(weights(0, 1), WithinAbs(1 / (1 + std::exp(-1.0)), 1e-12));
    CHECK_THAT(weights(1, 0), WithinAbs(1 / (1 + std::exp(-1.0)), 1e-12));
    CHECK(weights(2, 0) == 1);
    INFO("take the maximum of each row, not of the whole matrix");
    CHECK_THAT(weights(1, 0) + weights(1, 1), WithinAbs(1, 1e-12));
}

TEST_CASE("weighted sum, one answer a query", "[01][your_turn]")
{
    const Matrix weights = {{1, 0, 0}, {0, 0.5, 0.5}};
    const Matrix values = {{0, 2}, {6, 2}, {3, 8}};
    const Matrix context = yours::weighted_sum(weights, values);
    INFO("two queries and values of two numbers: the result has shape [2, 2]");
    REQUIRE(context.shape(0) == 2);
    REQUIRE(context.shape(1) == 2);
    INFO("all weight on the first key returns the first value, (0, 2)");
    CHECK_THAT(context(0, 0), WithinAbs(0, 1e-12));
    CHECK_THAT(context(0, 1), WithinAbs(2, 1e-12));
    INFO("half and half of (6, 2) and (3, 8) is (4.5, 5): sum over the keys, for each column "
         "of the values on its own");
    CHECK_THAT(context(1, 0), WithinAbs(4.5, 1e-12));
    CHECK_THAT(context(1, 1), WithinAbs(5, 1e-12));
}
