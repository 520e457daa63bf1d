#include "chapters/03_scoring_functions/your_turn.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>
#include <string>

using namespace attn;
using attn::testing::check_close;
using attn::testing::random_matrix;
using attn::testing::row_sum;
using Catch::Matchers::WithinAbs;
namespace yours = attn::scoring_functions::your_turn;

using Mask = xt::xtensor<bool, 2>;

// ---------------------------------------------------------------- scaled dot product

namespace {

/// What a variance of the scores gives away of how they were scaled.
std::string scaling_behind(double variance, double d)
{
    const auto near = [&](double wanted) {
        return variance > wanted / 2 && variance < wanted * 2;
    };
    if (near(d)) {
        return "it is near d: a sum of d products, not scaled at all; divide by the root of d";
    }
    if (near(1 / d)) {
        return "it is near 1 / d: divided by d and not by its root, so that a softmax "
               "is nearly an average where d is large";
    }
    if (near(d * d)) {
        return "it is near d * d: multiplied by the root of d instead of divided by it";
    }
    return "it should be near 1 whatever d is";
}

} // namespace

TEST_CASE("scaled dot product, a row a query and a column a key", "[03][your_turn]")
{
    const Matrix scores =
        yours::scaled_dot_product(random_matrix(2, 5, 1), random_matrix(3, 5, 2));
    INFO("2 queries and 3 keys: the scores have shape [2, 3], a row a query and a column a "
         "key");
    CHECK(scores.shape(0) == 2);
    CHECK(scores.shape(1) == 3);
}

TEST_CASE("scaled dot product, the variance does not grow with d", "[03][your_turn]")
{
    const std::size_t d = GENERATE(std::size_t{4}, std::size_t{400});
    const Matrix scores =
        yours::scaled_dot_product(random_matrix(40, d, 3), random_matrix(50, d, 4));
    const double variance = xt::mean(xt::square(scores))();
    INFO("the variance of the scores of random queries and keys, d = "
         << d << ", is " << variance << "; "
         << scaling_behind(variance, static_cast<double>(d)));
    CHECK(variance > 0.5);
    CHECK(variance < 2);
}

TEST_CASE("scaled dot product, the root of how many numbers a query has", "[03][your_turn]")
{
    Matrix queries = xt::ones<double>({1, 9});
    Matrix keys = xt::ones<double>({4, 9});
    keys(1, 0) = -8;
    const Matrix scores = yours::scaled_dot_product(queries, keys);
    REQUIRE(scores.shape(0) == 1);
    REQUIRE(scores.shape(1) == 4);
    INFO("nine products of 1 add up to 9, and the root of d = 9 is 3: d counts the numbers in "
         "a query, neither the 4 keys nor the 1 query");
    CHECK_THAT(scores(0, 0), WithinAbs(3, 1e-12));
    CHECK_THAT(scores(0, 1), WithinAbs(0, 1e-12));
}

TEST_CASE("scaled dot product, twice the query scores twice as much", "[03][your_turn]")
{
    const Matrix queries = random_matrix(2, 5, 1);
    const Matrix keys = random_matrix(3, 5, 2);
    const Matrix twice = yours::scaled_dot_product(2 * queries, keys);
    INFO("a query twice as long scores twice as much: no length of a query or key divides, "
         "that would be the cosine");
    check_close(twice, 2 * yours::scaled_dot_product(queries, keys), 1e-12);
}

// ---------------------------------------------------------------- additive

namespace {

/// Two queries of four numbers, three keys of five, six hidden units: no two counts are the
/// same.
struct Example
{
    Matrix queries = random_matrix(2, 4, 11);
    Matrix keys = random_matrix(3, 5, 12);
    Matrix W_q = random_matrix(6, 4, 13);
    Matrix W_k = random_matrix(6, 5, 14);
    Vector b = column_of(random_matrix(6, 1, 15), 0);
    Vector w = column_of(random_matrix(6, 1, 16), 0);
};

Matrix your_additive(const Example& example)
{
    return yours::additive(example.queries, example.keys, example.W_q, example.W_k, example.b,
                           example.w);
}

} // namespace

TEST_CASE("additive, a row a query and a column a key", "[03][your_turn]")
{
    const Matrix scores = your_additive(Example());
    INFO("2 queries and 3 keys: the scores have shape [2, 3], a row a query and a column a "
         "key; the hidden units are summed over");
    CHECK(scores.shape(0) == 2);
    CHECK(scores.shape(1) == 3);
}

TEST_CASE("additive, with a pencil", "[03][your_turn]")
{
    const Matrix scores = yours::additive({{1}, {50}}, {{2, 4}}, {{0.5}, {-1}},
                                          {{0.25, 0}, {0, 0.5}}, {0, -1}, {2, 3});
    REQUIRE(scores.shape(0) == 2);
    REQUIRE(scores.shape(1) == 1);
    INFO("the query (1) and the key (2, 4) make two hidden units, 0.5 + 0.5 + 0 and "
         "-1 + 2 - 1: the score is 2 tanh(1) + 3 tanh(0). Each sum is as long as its own "
         "vector");
    CHECK_THAT(scores(0, 0), WithinAbs(2 * std::tanh(1.0), 1e-12));
}

TEST_CASE("additive, only the bias is left of a query and a key of zeros", "[03][your_turn]")
{
    Example example;
    example.queries.fill(0);
    example.keys.fill(0);
    double wanted = 0;
    for (std::size_t hidden = 0; hidden < 6; ++hidden) {
        wanted += example.w(hidden) * std::tanh(example.b(hidden));
    }
    INFO("W_q q + W_k k + b is b here, and the score is w . tanh(b): b is neither forgotten "
         "nor added outside of the tanh");
    CHECK_THAT(your_additive(example)(0, 0), WithinAbs(wanted, 1e-12));
}

TEST_CASE("additive, odd", "[03][your_turn]")
{
    Example example;
    const Matrix scores = your_additive(example);
    example.queries *= -1.0;
    example.keys *= -1.0;
    example.b *= -1.0;
    INFO("tanh is odd: with query, key and bias of the other sign the score changes its sign; "
         "a logistic function or a cut at 0 does not do that");
    check_close(your_additive(example), -scores, 1e-12);
}

TEST_CASE("additive, never above the sum of the weights", "[03][your_turn]")
{
    Example example;
    example.queries *= 1000;
    double most = 0;
    for (const double weight : example.w) {
        most += std::abs(weight);
    }
    for (const double score : your_additive(example)) {
        INFO("tanh stays between -1 and 1, so that no score leaves the sum of |w|, "
             << most << ", however long the query is: where is your tanh?");
        CHECK(std::abs(score) <= most + 1e-9);
    }
}

TEST_CASE("additive, which key a query prefers depends on the query", "[03][your_turn]")
{
    const Matrix scores = your_additive(Example());
    INFO("by how much the first key beats the second must depend on the query. With a tanh "
         "around each part, or with none, a query adds the same to all its keys, and a softmax "
         "does not notice it: one tanh around the sum of W_q q, W_k k and b");
    CHECK(std::abs((scores(0, 0) - scores(0, 1)) - (scores(1, 0) - scores(1, 1))) > 1e-6);
}

TEST_CASE("additive, w weighs the hidden units", "[03][your_turn]")
{
    Example example;
    const Matrix scores = your_additive(example);
    example.w *= 2;
    INFO("twice w, twice the score: w stands outside of the tanh, one number for each hidden "
         "unit");
    check_close(your_additive(example), 2 * scores, 1e-12);
}

TEST_CASE("additive, every number counts", "[03][your_turn]")
{
    const Example example;
    const Matrix scores = your_additive(example);
    for (std::size_t m = 0; m < 4; ++m) {
        Example changed = example;
        changed.queries(0, m) += 0.5;
        INFO("number " << m
                       << " of the query counts: its sum has d_q = 4 terms, while d_k = 5");
        CHECK(std::abs(your_additive(changed)(0, 0) - scores(0, 0)) > 1e-9);
    }
    for (std::size_t m = 0; m < 5; ++m) {
        Example changed = example;
        changed.keys(0, m) += 0.5;
        INFO("number " << m << " of the key counts: its sum has d_k = 5 terms, while d_q = 4");
        CHECK(std::abs(your_additive(changed)(0, 0) - scores(0, 0)) > 1e-9);
    }
}

TEST_CASE("additive, without W_k no key is better than another", "[03][your_turn]")
{
    Example example;
    example.W_k.fill(0);
    const Matrix scores = your_additive(example);
    INFO("W_k is 0: the keys, which it multiplies, cannot matter, and the queries still do");
    CHECK_THAT(scores(0, 0), WithinAbs(scores(0, 1), 1e-12));
    CHECK(std::abs(scores(0, 0) - scores(1, 0)) > 1e-6);
}

// ---------------------------------------------------------------- masked softmax

namespace {

const double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Two visible keys, the second with a score ln 3 above the first, and a hidden key before,
/// between or behind them: whatever its score, the visible ones weigh a quarter and three.
void check_quarters(double first_score, double masked_score)
{
    for (std::size_t position = 0; position < 3; ++position) {
        const std::size_t first = position == 0 ? 1 : 0;
        const std::size_t second = position == 2 ? 1 : 2;
        Matrix scores = {{masked_score, masked_score, masked_score}};
        scores(0, first) = first_score;
        scores(0, second) = first_score + std::log(3.0);
        Mask mask = {{true, true, true}};
        mask(0, position) = false;
        const Matrix weights = yours::masked_softmax(scores, mask);
        REQUIRE(weights.shape() == scores.shape());
        CHECK_THAT(weights(0, first), WithinAbs(0.25, 1e-9));
        CHECK_THAT(weights(0, second), WithinAbs(0.75, 1e-9));
        CHECK(weights(0, position) == 0);
    }
}

} // namespace

TEST_CASE("masked softmax, true is visible", "[03][your_turn]")
{
    const Matrix weights = yours::masked_softmax({{0, 0, 0}}, {{false, true, false}});
    REQUIRE(weights.shape(0) == 1);
    REQUIRE(weights.shape(1) == 3);
    INFO("true is visible: of three keys with the same score only the second may be seen; is "
         "your mask the wrong way round?");
    CHECK(weights(0, 1) >= weights(0, 0));
    CHECK(weights(0, 1) >= weights(0, 2));
}

TEST_CASE("masked softmax, rows sum to one over what is visible", "[03][your_turn]")
{
    const Matrix scores = random_matrix(2, 4, 21);
    const Mask mask = {{true, false, true, true}, {true, true, false, false}};
    const Matrix weights = yours::masked_softmax(scores, mask);
    {
        INFO("one weight for each score: the shape of the result is the shape of the scores");
        REQUIRE(weights.shape() == scores.shape());
    }
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            INFO("each query has its own row of the mask, and what it hides weighs exactly "
                 "0; query "
                 << i << ", key " << j);
            CHECK((weights(i, j) == 0) == !mask(i, j));
        }
        INFO("the visible keys of a query share all the weight, 1: hide first and divide then "
             "by the sum over the row's visible keys, not by a sum in which hidden keys or "
             "other queries have a part; query "
             << i);
        CHECK_THAT(row_sum(weights, i), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("masked softmax, a gap of ln 3 triples the weight", "[03][your_turn]")
{
    INFO("among the visible keys it is the ordinary softmax: e to the power of the score");
    check_quarters(0, 0);
}

TEST_CASE("masked softmax, a hidden score cannot matter", "[03][your_turn]")
{
    {
        INFO("the hidden score is 1000: take the maximum over the visible keys only, or it "
             "makes all visible exponentials 0");
        check_quarters(0, 1000);
    }
    {
        INFO("the hidden score is 1e308: put minus infinity in its place, or pass over it; a "
             "large negative number that is added to it leaves it large");
        check_quarters(0, 1e308);
    }
    for (const double hidden : {not_a_number, infinity}) {
        INFO("the hidden score is " << hidden
                                    << ": 0 times it is not a number, nor is it plus minus "
                                       "infinity; a hidden score must not be computed with");
        check_quarters(0, hidden);
    }
    {
        INFO("the visible scores are near -1e12: a large negative number in place of minus "
             "infinity is still above them, and the hidden key has all the weight");
        check_close(yours::masked_softmax({{-1e12, 0, -1e12}}, {{true, false, true}}),
                    {{0.5, 0, 0.5}}, 1e-12);
    }
}

TEST_CASE("masked softmax, nothing visible", "[03][your_turn]")
{
    const Matrix weights =
        yours::masked_softmax({{1, 2}, {3, 4}}, {{false, false}, {true, true}});
    REQUIRE(weights.shape(0) == 2);
    REQUIRE(weights.shape(1) == 2);
    for (std::size_t j = 0; j < 2; ++j) {
        {
            INFO("a query that may see nothing: its maximum is minus infinity, its sum is 0, "
                 "and 0 / 0 is not a number; ask before you divide, and leave the row at 0");
            CHECK_FALSE(std::isnan(weights(0, j)));
        }
        if (!std::isnan(weights(0, j))) {
            INFO("a query that may see nothing: no key has weight, neither all of them the "
                 "same nor the one with the highest hidden score");
            CHECK(weights(0, j) == 0);
        }
    }
    INFO("the other rows are not touched by it");
    CHECK_THAT(weights(1, 0) + weights(1, 1), WithinAbs(1, 1e-12));
}

TEST_CASE("masked softmax, large visible scores do not overflow", "[03][your_turn]")
{
    for (const double shift : {1000.0, -1000.0}) {
        INFO("visible scores near " << shift
                                    << ": exp of 1000 is infinite and of -1000 it is 0, so "
                                       "subtract the largest visible score first");
        check_quarters(shift, shift);
    }
}
