#include "chapters/01_lookup/experiments/experiments.hpp"

#include "chapters/01_lookup/exercises/solutions.hpp"
#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/01_lookup/thermometer.csv.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/program/csv_columns.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::lookup;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// The thermometer asked for 10 o'clock.
AttentionInputs ten_o_clock()
{
    const program::NumericTable data =
        program::parse_numeric_csv(thermometer_csv, "thermometer.csv");
    return {as_column(data.vector("hour")), as_column(data.vector("celsius")), {{10}}};
}

} // namespace

TEST_CASE("geometric steps rise by one factor from end to end", "[01]")
{
    const Vector steps = geometric_steps(0.01, 1000, 6);
    REQUIRE(steps.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK_THAT(steps(i), WithinRel(std::pow(10.0, static_cast<double>(i) - 2), 1e-12));
    }
    CHECK_THROWS_AS(geometric_steps(0, 1, 3), ContractError);
    CHECK_THROWS_AS(geometric_steps(1, 2, 1), ContractError);
}

TEST_CASE("the answer of 10 o'clock goes from 13 above the mean and back to it", "[01][claim]")
{
    const Vector temperatures = geometric_steps(0.01, 1e9, 400);
    const Attention path = along_temperatures(ten_o_clock(), scores()[1], temperatures);
    const double mean = (8 + 13 + 18 + 20 + 21 + 15) / 6.0;
    CHECK_THAT(path.context(0, 0), WithinAbs(13, 1e-6));
    CHECK_THAT(path.context(399, 0), WithinAbs(mean, 1e-6));
    CHECK(xt::amax(path.context)() > mean + 0.1);

    // After 9 o'clock come the noon readings, then 6, 15 and, last, 18: at every temperature
    // in this order, and each reaches a weight of 0.01 at a higher one.
    const std::vector<std::size_t> order = {1, 2, 0, 4, 5};
    for (std::size_t i = 1; i < order.size(); ++i) {
        const auto sooner = xt::col(path.weights, static_cast<std::ptrdiff_t>(order[i - 1]));
        const auto later = xt::col(path.weights, static_cast<std::ptrdiff_t>(order[i]));
        CHECK(xt::all(xt::greater_equal(sooner, later)));
        CHECK(xt::sum(xt::cast<int>(xt::greater(sooner, 0.01)))() >
              xt::sum(xt::cast<int>(xt::greater(later, 0.01)))());
    }
    CHECK(xt::all(xt::equal(xt::col(path.weights, 2), xt::col(path.weights, 3))));
}

TEST_CASE("exercise 1.1, one temperature answers 15", "[01][solution]")
{
    const Vector temperatures = geometric_steps(0.01, 1e6, 20001);
    const Attention path = along_temperatures(ten_o_clock(), scores()[1], temperatures);
    std::vector<double> crossings;
    for (std::size_t step = 1; step < temperatures.size(); ++step) {
        if ((path.context(step - 1, 0) < 15) != (path.context(step, 0) < 15)) {
            crossings.push_back(temperatures(step));
        }
    }
    REQUIRE(crossings.size() == 1);
    CHECK_THAT(crossings[0], WithinAbs(1.085, 1e-3));

    // Four digits show 15 for a few temperatures around it.
    const Attention around =
        along_temperatures(ten_o_clock(), scores()[1], {1.081, 1.082, 1.087, 1.088});
    std::vector<std::string> shown;
    for (const double answer : around.context) {
        shown.push_back(program::significant(answer, 4));
    }
    CHECK(shown == std::vector<std::string>{"14.99", "15", "15", "15.01"});
}

TEST_CASE("without a common length the dot product splits the plane into wedges", "[01][claim]")
{
    // A wedge: the winner does not change along a ray from the origin.
    const Matrix keys = pencil_example::keys();
    const Matrix directions = random_matrix(200, 2, 5);
    const Matrix near_by = one_hot(dot_product(directions, keys));
    const Matrix far_out = one_hot(dot_product(100.0 * directions, keys));
    check_close(near_by, far_out, 0);
}

TEST_CASE("almost half of the queries on the page's grid get a farther key by dot product",
          "[01][claim]")
{
    // In whatever order the keys stand: ties on the grid decide nothing.
    const Matrix keys = pencil_example::keys();
    const std::vector<std::size_t> order =
        GENERATE(as<std::vector<std::size_t>>{}, std::vector<std::size_t>{0, 1, 2},
                 std::vector<std::size_t>{2, 1, 0}, std::vector<std::size_t>{1, 2, 0});
    const Matrix shuffled = xt::view(keys, xt::keep(order), xt::all());
    const WinnerMap map = winner_map(shuffled, -1, 3, 25);
    REQUIRE(map.nearest.size() == 625);
    CHECK(map.n_farther == 288);
    CHECK_THAT(disagreement(map), WithinAbs(0.4608, 1e-12));
}

TEST_CASE("the winner map agrees with hard lookup and counts where the scores differ", "[01]")
{
    const WinnerMap map = winner_map(pencil_example::keys(), -1, 3, 5);
    REQUIRE(map.queries.shape(0) == 25);
    CHECK(map.queries(0, 0) == -1);
    CHECK(map.queries(24, 1) == 3);
    const Matrix nearest =
        one_hot(minus_half_squared_distance(map.queries, pencil_example::keys()));
    const Matrix dot = one_hot(dot_product(map.queries, pencil_example::keys()));
    std::size_t n_farther = 0;
    for (std::size_t point = 0; point < 25; ++point) {
        CHECK(nearest(point, map.nearest[point]) > 0);
        CHECK(dot(point, map.dot[point]) > 0);
        double shared = 0; // a key with weight by both scores
        for (std::size_t j = 0; j < 3; ++j) {
            shared += nearest(point, j) * dot(point, j);
        }
        n_farther += shared > 0 ? 0 : 1;
    }
    CHECK(map.n_farther == n_farther);
    CHECK_THAT(disagreement(map), WithinAbs(static_cast<double>(n_farther) / 25, 1e-15));
    CHECK(n_farther > 0);

    // Keys of one length: no disagreement.
    const Matrix circle = {{1, 0}, {-0.6, 0.8}, {0, -1}};
    CHECK(disagreement(winner_map(circle, -0.97, 1.03, 20)) == 0);
    // On a tie the key that stands first is named: here at the origin.
    const WinnerMap tied = winner_map({{1, 0}, {0, 1}}, -1, 1, 3);
    CHECK(tied.nearest[4] == 0);
    CHECK(tied.dot[4] == 0);
    CHECK_THROWS_AS(winner_map({{1}, {2}}, 0, 1, 3), ContractError);
    CHECK_THROWS_AS(winner_map(circle, 0, 1, 1), ContractError);
}

TEST_CASE("exercise 1.5, of three keys on a line the middle one is never returned alone",
          "[01][solution]")
{
    const Matrix keys = {{1, 0}, {2, 0}, {3, 0}};
    const Matrix alone = one_hot(dot_product(random_matrix(500, 2, 7), keys));
    CHECK(xt::amax(xt::col(alone, 1))() == 0);
    CHECK(xt::amin(alone)() == 0);
    const Matrix across = one_hot(dot_product({{0, 1}, {0, -1}, {0, 0}}, keys)); // all tie
    check_close(across, Matrix(xt::ones<double>({3, 3}) / 3.0), 1e-15);
}

TEST_CASE("exercise 1.5, a key inside the others' hull never has the largest dot product",
          "[01][solution]")
{
    const Matrix keys = {{1, 0}, {-1, 1}, {-1, -1}, {-0.2, 0.1}};
    const Matrix weights = one_hot(dot_product(random_matrix(500, 2, 6), keys));
    CHECK(xt::sum(xt::col(weights, 3))() == 0);
}

TEST_CASE("exercise 1.2, interpolation is attention with a signed score", "[01][solution]")
{
    const auto answers = [](const Matrix& queries, const Matrix& keys, const Matrix& values) {
        return attend(queries, keys, values, solutions::signed_gap, solutions::interpolate);
    };
    const Matrix queries = {{-3}, {0}, {0.25}, {1}, {2.5}, {4}, {9}};
    const Matrix wanted = {{10}, {10}, {12.5}, {20}, {50}, {80}, {80}};
    const Attention found = answers(queries, {{0}, {1}, {4}}, {{10}, {20}, {80}});
    check_close(found.context, wanted, 1e-12);
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        CHECK_THAT(row_sum(found.weights, i), WithinAbs(1, 1e-15));
        CHECK(xt::amin(found.weights)() >= 0);
    }
    // The order of the rows is nowhere, and equal keys share: 70 and 90 count as one 80.
    check_close(answers(queries, {{4}, {0}, {4}, {1}}, {{70}, {10}, {90}, {20}}).context,
                wanted, 1e-12);

    CHECK_THROWS_AS(solutions::signed_gap({{0, 1}}, {{1}, {2}}), ContractError);
    CHECK_THROWS_AS(solutions::signed_gap({{0}}, {{1, 2}}), ContractError);
    CHECK_THROWS_AS(solutions::interpolate(Matrix::from_shape({1, 0})), ContractError);
    CHECK_THROWS_AS(solutions::interpolate({{1, std::numeric_limits<double>::infinity()}}),
                    ContractError);
}

TEST_CASE("exercise 1.2, no score of nearness can interpolate", "[01][solution]")
{
    // Two tables have the same distances from the query 0, and interpolation weighs them
    // differently: the second key is on the other side in one table only.
    const Matrix query = {{0}};
    const Matrix around = {{-1}, {2}};
    const Matrix on_one_side = {{-1}, {-2}};
    check_close(minus_half_squared_distance(query, around),
                minus_half_squared_distance(query, on_one_side), 0);
    check_close(solutions::interpolate(solutions::signed_gap(query, around)),
                {{2.0 / 3, 1.0 / 3}}, 1e-15);
    check_close(solutions::interpolate(solutions::signed_gap(query, on_one_side)), {{1, 0}}, 0);
}

TEST_CASE("exercise 1.4, a row that is stored twice weighs 2a / (1 + a)", "[01][solution]")
{
    const Matrix keys = {{9}, {12}, {15}};
    const Matrix twice = {{9}, {12}, {15}, {12}};
    const Matrix query = {{10.7}};
    const double alpha = softmax(minus_half_squared_distance(query, keys))(0, 1);
    const Matrix weights = softmax(minus_half_squared_distance(query, twice));
    CHECK_THAT(weights(0, 1) + weights(0, 3), WithinAbs(2 * alpha / (1 + alpha), 1e-14));
    CHECK(2 * alpha / (1 + alpha) < 2 * alpha - 0.1);
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
