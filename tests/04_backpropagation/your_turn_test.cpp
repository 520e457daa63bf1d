#include "chapters/04_backpropagation/your_turn.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/04_backpropagation/experiments/experiments.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <functional>
#include <limits>

using namespace attn;
using attn::testing::check_close;
using attn::testing::random_matrix;
using attn::testing::row_sum;
using Catch::Matchers::WithinAbs;
using lookup::dot_product;
using lookup::softmax;
using lookup::weighted_sum;
namespace yours = attn::backpropagation::your_turn;

namespace {

const double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The loss of which a matrix is the gradient with respect to the result.
double projected(const Matrix& result, const Matrix& gradient)
{
    return xt::sum(result * gradient)();
}

/// Whether a gradient is that of a loss, by central differences.
void check_slopes(const Matrix& gradient, const std::function<double(const Matrix&)>& loss,
                  const Matrix& x)
{
    REQUIRE(gradient.shape() == x.shape());
    check_close(gradient, backpropagation::gradient_by_differences(loss, x), 1e-8);
}

} // namespace

// ---------------------------------------------------------------- softmax

TEST_CASE("softmax backward, one number for each score", "[04][your_turn]")
{
    const Matrix weights = softmax(random_matrix(2, 5, 1));
    const Matrix dscores = yours::softmax_backward(weights, random_matrix(2, 5, 2));
    INFO("2 queries and 5 keys: the gradient of the scores has the scores' shape, [2, 5], and "
         "not that of a Jacobian");
    CHECK(dscores.shape() == weights.shape());
}

TEST_CASE("softmax backward, with a pencil", "[04][your_turn]")
{
    const Matrix dscores = yours::softmax_backward({{0.25, 0.75}}, {{4, 0}});
    REQUIRE(dscores.shape(1) == 2);
    INFO("weights 1/4 and 3/4, and 4 and 0 arrive at them: their mean under the weights is 1; "
         "4 is 3 above it, 0 is 1 below. Each difference times its weight is 3/4 and -3/4; the "
         "gradient points uphill, a sign turns only where somebody descends");
    CHECK_THAT(dscores(0, 0), WithinAbs(0.75, 1e-12));
    CHECK_THAT(dscores(0, 1), WithinAbs(-0.75, 1e-12));
}

TEST_CASE("softmax backward, a row sums to zero", "[04][your_turn]")
{
    const Matrix weights = softmax(random_matrix(3, 6, 3));
    const Matrix dscores = yours::softmax_backward(weights, random_matrix(3, 6, 4));
    REQUIRE(dscores.shape() == weights.shape());
    for (std::size_t i = 0; i < 3; ++i) {
        INFO("a softmax does not notice it if all scores of a row rise together, so a row of "
             "the gradient sums to 0: weights (dweights - mean), with one mean for each query, "
             "the mean under that query's weights; query "
             << i);
        CHECK_THAT(row_sum(dscores, i), WithinAbs(0, 1e-12));
    }
}

TEST_CASE("softmax backward, what arrives at all keys alike is not felt", "[04][your_turn]")
{
    const Matrix weights = softmax(random_matrix(2, 6, 3));
    const Matrix dscores = yours::softmax_backward(weights, xt::full_like(weights, 3.0));
    REQUIRE(dscores.shape() == weights.shape());
    INFO("weights always sum to 1: if every weight is worth 3 to the loss, no change of the "
         "scores gains anything. The mean is taken under the weights, sum_l weights_l "
         "dweights_l, and all of it is subtracted");
    check_close(dscores, xt::zeros<double>({2, 6}), 1e-12);
}

TEST_CASE("softmax backward, the slope of the loss", "[04][your_turn]")
{
    const Matrix scores = random_matrix(2, 4, 5);
    const Matrix dweights = random_matrix(2, 4, 6);
    INFO("raised by a little, score [query, key] changes the loss by another slope than you "
         "say: "
         "every weight of its row answers, weight_l (1[l = j] - weight_j), and each is worth "
         "its "
         "dweight");
    check_slopes(
        yours::softmax_backward(softmax(scores), dweights),
        [&](const Matrix& moved) { return projected(softmax(moved), dweights); }, scores);
}

TEST_CASE("softmax backward, where no weight is nothing goes back", "[04][your_turn]")
{
    for (const double arrives : {7.0, infinity, not_a_number}) {
        const Matrix dscores = yours::softmax_backward(
            {{0.25, 0, 0.75}, {0, 0, 0}}, {{4, arrives, 0}, {arrives, arrives, arrives}});
        REQUIRE(dscores.shape(0) == 2);
        REQUIRE(dscores.shape(1) == 3);
        INFO("the second key is hidden, its weight is 0, and "
             << arrives
             << " arrives there. It must receive exactly 0, and the others what they "
                "would without it: pass over keys without weight, since 0 times "
                "infinity is not 0");
        CHECK(dscores(0, 1) == 0);
        CHECK_THAT(dscores(0, 0), WithinAbs(0.75, 1e-12));
        CHECK_THAT(dscores(0, 2), WithinAbs(-0.75, 1e-12));
        for (std::size_t j = 0; j < 3; ++j) {
            INFO("nothing is visible to the second query: all its weights are 0, and so is "
                 "its gradient; do not divide by the sum of the weights");
            CHECK(dscores(1, j) == 0);
        }
    }
}

// ---------------------------------------------------------------- the query

namespace {

/// 2 queries, 5 keys of 3 numbers, values of 4: no two counts are the same.
struct Example
{
    Matrix queries = random_matrix(2, 3, 11);
    Matrix keys = random_matrix(5, 3, 12);
    Matrix values = random_matrix(5, 4, 13);
    Matrix dcontext = random_matrix(2, 4, 14);

    Matrix weights_of(const Matrix& q) const { return softmax(dot_product(q, keys)); }
    double loss(const Matrix& moved) const
    {
        return projected(weighted_sum(weights_of(moved), values), dcontext);
    }
};

Matrix your_dqueries(const Example& example)
{
    return yours::query_backward(example.keys, example.values,
                                 example.weights_of(example.queries), example.dcontext);
}

} // namespace

TEST_CASE("query backward, a row a query and a column a number of it", "[04][your_turn]")
{
    const Matrix dqueries = your_dqueries(Example());
    INFO("2 queries of 3 numbers: the gradient has their shape, [2, 3]. From the contexts to "
         "the weights, dcontext values^T, then through the softmax, then to the queries, "
         "dscores keys");
    CHECK(dqueries.shape(0) == 2);
    CHECK(dqueries.shape(1) == 3);
}

TEST_CASE("query backward, with a pencil", "[04][your_turn]")
{
    const Matrix dqueries =
        yours::query_backward({{2}, {-2}}, {{10}, {20}}, {{0.5, 0.5}}, {{1}});
    REQUIRE(dqueries.shape(0) == 1);
    INFO(
        "keys 2 and -2, values 10 and 20, both weights 1/2, and 1 arrives: dweights are 10 and "
        "20, 5 below and above their mean; dscores -5/2 and 5/2; dquery -5/2 * 2 + 5/2 * -2 = "
        "-10, the covariance of the values with the keys. A context is not moved by what all "
        "values have in common: did you go back through the softmax?");
    CHECK_THAT(dqueries(0, 0), WithinAbs(-10, 1e-12));
}

TEST_CASE("query backward, equal values have nothing to say", "[04][your_turn]")
{
    Example example;
    example.values.fill(2.0);
    INFO("all values are equal, so the context is the same whatever the query asks: its "
         "gradient is 0. The softmax's backward pass subtracts the mean");
    check_close(your_dqueries(example), xt::zeros<double>({2, 3}), 1e-12);
}

TEST_CASE("query backward, equal keys neither", "[04][your_turn]")
{
    Example example;
    example.keys.fill(0.5);
    INFO("all keys are equal, so the query raises all scores alike and no weight moves: its "
         "gradient is 0");
    check_close(your_dqueries(example), xt::zeros<double>({2, 3}), 1e-12);
}

TEST_CASE("query backward, the slope of the loss", "[04][your_turn]")
{
    const Example example;
    INFO("raised by a little, number [query, number] changes the loss by another slope than "
         "you say: "
         "dscores keys, where dscores = weights (dweights - mean), each query with its own "
         "row; the "
         "dot product is not scaled here, nothing is divided");
    check_slopes(
        your_dqueries(example), [&](const Matrix& moved) { return example.loss(moved); },
        example.queries);
}

TEST_CASE("query backward, twice as much arrives, twice as much goes on", "[04][your_turn]")
{
    Example example;
    const Matrix once = your_dqueries(example);
    example.dcontext *= 2;
    INFO("what goes back is linear in what arrives: dcontext is neither squared nor "
         "normalised");
    check_close(your_dqueries(example), 2 * once, 1e-12);
}

// ---------------------------------------------------------------- an operator of the tape

namespace {

/// Scores as a parameter.
autograd::Variable<double> scores_of(const Matrix& scores)
{
    return autograd::parameter(Array<double>(scores));
}

} // namespace

TEST_CASE("log-sum-exp, one number for each row", "[04][your_turn]")
{
    const autograd::Variable<double> y = yours::log_sum_exp(scores_of({{0, std::log(3.0)}}));
    INFO("one query and two keys: the result has the shape [1]");
    REQUIRE(y.shape() == Shape{1});
    INFO("scores 0 and ln 3: their exponentials are 1 and 3, and ln 4 is asked for");
    CHECK_THAT(y.value().data()[0], WithinAbs(std::log(4.0), 1e-12));
}

TEST_CASE("log-sum-exp, scores too large for an exponential", "[04][your_turn]")
{
    const autograd::Variable<double> y =
        yours::log_sum_exp(scores_of({{1000, 1000}, {-1000, -1000}}));
    REQUIRE(y.shape() == Shape{2});
    INFO("the exponential of 1000 is infinite and that of -1000 is 0: subtract the row's "
         "maximum "
         "before the exponential and add it again after the logarithm");
    CHECK_THAT(y.value().data()[0], WithinAbs(1000 + std::log(2.0), 1e-9));
    CHECK_THAT(y.value().data()[1], WithinAbs(-1000 + std::log(2.0), 1e-9));
}

TEST_CASE("log-sum-exp, the gradient check", "[04][your_turn]")
{
    const autograd::GradientCheck check = autograd::check_gradient(
        [](const auto& inputs) { return yours::log_sum_exp(inputs[0]); },
        {Array<double>(random_matrix(3, 4, 21))});
    INFO("score j of a row changes the row's result at the rate of its softmax weight, so it "
         "receives that weight times what arrives at the row's result: "
         << check.first_mismatch);
    CHECK(check.passed);
}

TEST_CASE("log-sum-exp, used twice", "[04][your_turn]")
{
    const autograd::Variable<double> x = scores_of({{0, std::log(3.0)}});
    const autograd::Tape<double> tape;
    backward(sum(yours::log_sum_exp(x)) + sum(yours::log_sum_exp(x)));
    REQUIRE(x.has_gradient());
    INFO("the weights are 1/4 and 3/4, and each of the two uses adds its own: 1/2 and 3/2; "
         "add_to_gradient adds, nothing is overwritten");
    CHECK_THAT(x.gradient().data()[0], WithinAbs(0.5, 1e-12));
    CHECK_THAT(x.gradient().data()[1], WithinAbs(1.5, 1e-12));
}

TEST_CASE("log-sum-exp, nothing is recorded for constants", "[04][your_turn]")
{
    const autograd::Tape<double> tape;
    INFO("no parameter stands behind the scores, so none stands behind the result: hand "
         "scores.needs_gradient() to record()");
    CHECK_FALSE(yours::log_sum_exp(Array<double>(random_matrix(2, 3, 22))).needs_gradient());
}
