#include "chapters/01_lookup/your_turn.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>
#include <vector>

using namespace attn;
using attn::lookup::Attention;
using attn::lookup::Normaliser;
using attn::lookup::Score;
using attn::testing::check_close;
using attn::testing::random_matrix;
using attn::testing::row_sum;
using Catch::Matchers::WithinAbs;
namespace yours = attn::lookup::your_turn;

// ---------------------------------------------------------------- softmax

TEST_CASE("softmax, rows are distributions", "[01][your_turn]")
{
    const Matrix scores = random_matrix(3, 5, 1);
    const Matrix weights = yours::softmax(scores, 0.7);
    {
        INFO("one weight for each score: the shape of the result is the shape of the scores");
        REQUIRE(weights.shape() == scores.shape());
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 5; ++j) {
            INFO("no weight is negative: did you exponentiate?");
            CHECK(weights(i, j) >= 0);
        }
        INFO("each query's weights sum to 1: divide by the sum over the keys of its own row, "
             "not of a column or of the whole matrix; row "
             << i);
        CHECK_THAT(row_sum(weights, i), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("softmax, a gap of ln 2 in the scores doubles the weight", "[01][your_turn]")
{
    const Matrix weights = yours::softmax({{0, std::log(2.0), -std::log(2.0)}}, 1.0);
    INFO("at temperature 1 a weight grows as e to the power of its score, std::exp");
    CHECK_THAT(weights(0, 1) / weights(0, 0), WithinAbs(2, 1e-9));
    CHECK_THAT(weights(0, 2) / weights(0, 0), WithinAbs(0.5, 1e-9));
}

TEST_CASE("softmax, the temperature is the unit of the scores", "[01][your_turn]")
{
    const double temperature = GENERATE(0.5, 4.0);
    const Matrix weights = yours::softmax(
        {{0, temperature * std::log(2.0), -temperature * std::log(2.0)}}, temperature);
    INFO("at temperature " << temperature << " a gap of " << temperature
                           << " ln 2 doubles the weight: divide the scores by the "
                              "temperature, do not multiply them, and do not forget it");
    CHECK_THAT(weights(0, 1) / weights(0, 0), WithinAbs(2, 1e-9));
    CHECK_THAT(weights(0, 2) / weights(0, 0), WithinAbs(0.5, 1e-9));
}

TEST_CASE("softmax, large scores do not overflow", "[01][your_turn]")
{
    const double larger = 1 / (1 + std::exp(-1.0)); // of two scores with a gap of 1
    {
        INFO("exp(1000) is infinite, and infinity / infinity is not a number: subtract the "
             "row's maximum before you exponentiate");
        CHECK_THAT(yours::softmax({{1000, 1001}}, 1.0)(0, 1), WithinAbs(larger, 1e-12));
        CHECK(yours::softmax({{1e300, 0}}, 1.0)(0, 0) == 1);
    }
    {
        INFO("exp(-1000) is 0, and 0 / 0 is not a number: subtract the row's maximum before "
             "you exponentiate, even if it is negative");
        CHECK_THAT(yours::softmax({{-1000, -1001}}, 1.0)(0, 0), WithinAbs(larger, 1e-12));
    }
    {
        const Matrix weights = yours::softmax({{1000, 1001}, {-1000, -1001}}, 1.0);
        INFO("two queries whose scores lie far apart: take the maximum of each row, not of "
             "the whole matrix");
        CHECK_THAT(weights(0, 1), WithinAbs(larger, 1e-12));
        CHECK_THAT(weights(1, 0), WithinAbs(larger, 1e-12));
    }
    {
        INFO("1e300 / 1e-10 is more than a double can hold: subtract the maximum before you "
             "divide by the temperature");
        CHECK(yours::softmax({{1e300, 0}}, 1e-10)(0, 0) == 1);
    }
}

// ---------------------------------------------------------------- attend

namespace {

const double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

const Score dot{"dot", "the dot product", lookup::dot_product};
const Normaliser as_they_are{"as they are", "the scores themselves", lookup::unnormalised};
const Normaliser soft{"soft", "their softmax",
                      [](const Matrix& scores) { return lookup::softmax(scores); }};

/// The dot product of numbers, but a negative key is masked.
const Score masked{"masked", "negative keys are not seen",
                   [](const Matrix& queries, const Matrix& keys) {
                       Matrix scores = lookup::dot_product(queries, keys);
                       for (std::size_t i = 0; i < queries.shape(0); ++i) {
                           for (std::size_t j = 0; j < keys.shape(0); ++j) {
                               if (keys(j, 0) < 0) {
                                   scores(i, j) = -infinity;
                               }
                           }
                       }
                       return scores;
                   }};

/// With these keys the dot product returns the query itself: its numbers are the scores.
const Matrix three_unit_keys = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

} // namespace

TEST_CASE("attend, shapes", "[01][your_turn]")
{
    // 2 queries, 3 keys, 4 numbers each, values of 5: no two counts are the same.
    const Attention attention = yours::attend(random_matrix(2, 4, 2), random_matrix(3, 4, 3),
                                              random_matrix(3, 5, 4), dot, soft);
    {
        INFO("scores: a row a query and a column a key, [2, 3] here, as score(queries, keys) "
             "returns them; hand them out, so that one can look inside");
        CHECK(attention.scores.shape(0) == 2);
        CHECK(attention.scores.shape(1) == 3);
    }
    {
        INFO("weights: one for each score, [2, 3] here; hand them out as well");
        CHECK(attention.weights.shape(0) == 2);
        CHECK(attention.weights.shape(1) == 3);
    }
    {
        INFO("context: one row a query, not a key, so 2 here");
        CHECK(attention.context.shape(0) == 2);
    }
    {
        INFO("context: as many columns as a value has, 5 here: keys are for finding, values "
             "for answering");
        CHECK(attention.context.shape(1) == 5);
    }
}

TEST_CASE("attend, the scores are those of the score that was handed in", "[01][your_turn]")
{
    const Matrix queries = random_matrix(2, 4, 2);
    const Matrix keys = random_matrix(3, 4, 3);
    for (const Score& score : lookup::scores()) {
        const Attention attention =
            yours::attend(queries, keys, random_matrix(3, 5, 4), score, soft);
        INFO("hand out what score(queries, keys) returns, neither scaled nor normalised; the "
             "score here: "
             << score.name);
        check_close(attention.scores, score(queries, keys), 0);
    }
}

TEST_CASE("attend, each query is normalised over its keys", "[01][your_turn]")
{
    const Attention attention = yours::attend(random_matrix(2, 4, 2), random_matrix(3, 4, 3),
                                              random_matrix(3, 5, 4), dot, soft);
    REQUIRE(attention.weights.shape(0) == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        INFO("the normaliser works on rows, and a row is one query's: hand it the scores as "
             "they are, not transposed, and each query's weights sum to 1; query "
             << i);
        CHECK_THAT(row_sum(attention.weights, i), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("attend, the weights are those of the normaliser that was handed in",
          "[01][your_turn]")
{
    std::vector<Normaliser> normalisers = lookup::normalisers(2, 0.7);
    normalisers.push_back(as_they_are);
    for (const Normaliser& normalise : normalisers) {
        const Attention attention =
            yours::attend(random_matrix(2, 4, 2), random_matrix(3, 4, 3),
                          random_matrix(3, 5, 4), dot, normalise);
        INFO("the weights are normalise(scores), called once, whatever the normaliser is: no "
             "softmax of your own; the normaliser here: "
             << normalise.name);
        check_close(attention.weights, normalise(attention.scores), 0);
    }
}

TEST_CASE("attend, the context is the weighted sum of the values", "[01][your_turn]")
{
    const Matrix weights = {{1, 0, 0}, {0, 0.5, 0.5}};
    const Matrix values = {{0, 2}, {6, 2}, {3, 8}};
    const Matrix context =
        yours::attend(weights, three_unit_keys, values, dot, as_they_are).context;
    REQUIRE(context.shape(0) == 2);
    REQUIRE(context.shape(1) == 2);
    {
        INFO("all weight on the first key returns the first value, (0, 2), and no average");
        CHECK_THAT(context(0, 0), WithinAbs(0, 1e-12));
        CHECK_THAT(context(0, 1), WithinAbs(2, 1e-12));
    }
    {
        INFO("half and half of (6, 2) and (3, 8) is (4.5, 5): sum over the keys, for each "
             "column of the values on its own");
        CHECK_THAT(context(1, 0), WithinAbs(4.5, 1e-12));
        CHECK_THAT(context(1, 1), WithinAbs(5, 1e-12));
    }
}

TEST_CASE("attend, the weights count as they are", "[01][your_turn]")
{
    const Matrix values = {{0, 2}, {6, 2}, {3, 8}};
    const Matrix context =
        yours::attend({{0, 1, 1}, {0, 0, 0}}, three_unit_keys, values, dot, as_they_are)
            .context;
    REQUIRE(context.shape(0) == 2);
    REQUIRE(context.shape(1) == 2);
    INFO("two hits of weight 1 add up, (6, 2) + (3, 8), and no hit is (0, 0): whether weights "
         "sum to 1 is the normaliser's business, so do not divide by their sum");
    CHECK_THAT(context(0, 0), WithinAbs(9, 1e-12));
    CHECK_THAT(context(0, 1), WithinAbs(10, 1e-12));
    CHECK_THAT(context(1, 0), WithinAbs(0, 1e-12));
    CHECK_THAT(context(1, 1), WithinAbs(0, 1e-12));
}

TEST_CASE("attend, each query is answered on its own", "[01][your_turn]")
{
    const Matrix queries = random_matrix(3, 4, 2);
    const Matrix keys = random_matrix(5, 4, 3);
    const Matrix values = random_matrix(5, 2, 4);
    const Matrix together = yours::attend(queries, keys, values, dot, soft).context;
    REQUIRE(together.shape(0) == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const Matrix alone =
            yours::attend(single_row(queries, i), keys, values, dot, soft).context;
        INFO("a query that is asked alone gets the answer that it gets among others; query "
             << i);
        check_close(alone, single_row(together, i), 1e-12);
    }
}

TEST_CASE("attend, shuffling the rows changes nothing", "[01][your_turn]")
{
    const Matrix queries = random_matrix(2, 4, 2);
    const Matrix keys = random_matrix(5, 4, 3);
    const Matrix values = random_matrix(5, 3, 4);
    const std::vector<std::size_t> order = {3, 0, 4, 2, 1};
    const Matrix shuffled_keys = xt::view(keys, xt::keep(order), xt::all());
    const Matrix shuffled_values = xt::view(values, xt::keep(order), xt::all());
    const Matrix before = yours::attend(queries, keys, values, dot, soft).context;
    const Matrix after =
        yours::attend(queries, shuffled_keys, shuffled_values, dot, soft).context;
    INFO("the rows of the table have no order: shuffle keys and values alike, and every "
         "context stays; does your sum run over all keys, and does each weight meet its own "
         "key's value?");
    check_close(after, before, 1e-12);
}

TEST_CASE("attend, a masked key cannot leak", "[01][your_turn]")
{
    const Matrix queries = {{0}, {1}};
    const Matrix context = yours::attend(queries, {{1}, {-1}, {2}, {-1}},
                                         {{3}, {not_a_number}, {5}, {infinity}}, masked, soft)
                               .context;
    const Matrix without = yours::attend(queries, {{1}, {2}}, {{3}, {5}}, masked, soft).context;
    {
        INFO("the two masked keys have weight 0, and their values are nan and infinite: 0 "
             "times nan is nan, so leave out a key without weight instead of adding 0 times "
             "its value");
        check_close(context, without, 1e-12);
    }
    {
        INFO("every key is masked: all weights are 0, and the context is 0 whatever the "
             "values are");
        check_close(
            yours::attend(queries, {{-1}, {-2}}, {{not_a_number}, {3}}, masked, soft).context,
            {{0}, {0}}, 0);
    }
}

TEST_CASE("attend, a value that counts is not hidden", "[01][your_turn]")
{
    const Matrix context =
        yours::attend({{1}}, {{1}, {2}}, {{not_a_number}, {5}}, masked, soft).context;
    INFO("the value of a key with weight is nan, and so is the context: ask whether the "
         "weight is 0, not whether the value is a number, or you hide an error");
    CHECK(std::isnan(context(0, 0)));
}

TEST_CASE("attend, every lookup of the chapter", "[01][your_turn]")
{
    const Matrix queries = {{12}, {10}}; // two readings have the one hour, none the other
    const Matrix keys = {{9}, {12}, {12}, {15}};
    const Matrix values = {{13}, {18}, {20}, {22}};
    for (const lookup::Lookup& way : lookup::lookups(2, 1.0)) {
        const Matrix context =
            yours::attend(queries, keys, values, way.score, way.normaliser).context;
        INFO("six lookups are one operation; this one is called " << way.name);
        check_close(context,
                    lookup::attend(queries, keys, values, way.score, way.normaliser).context,
                    1e-12);
    }
}
