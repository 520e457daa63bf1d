#include "chapters/04_backpropagation/experiments/gradients.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <limits>

using namespace attn;
using namespace attn::backpropagation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using scoring_functions::Mask;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

// [claim_three]
TEST_CASE("gradients by hand are those of the tape and of differences", "[04][claim]")
{
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        for (const ThreeGradients& three : three_gradients(seed)) {
            INFO(three.operation << ", " << three.name << ", seed " << seed);
            check_close(three.by_hand, three.by_tape, 1e-12);
            check_close(three.by_hand, three.by_differences, 1e-9);
        }
    }
}
// [claim_three]

TEST_CASE("every gradient is compared, and none of them is zero throughout", "[04]")
{
    const std::vector<ThreeGradients> all = three_gradients(1);
    std::string names;
    for (const ThreeGradients& three : all) {
        names += three.name + " ";
        INFO(three.operation << ", " << three.name);
        CHECK(xt::amax(xt::abs(three.by_hand))() > 1e-3);
    }
    CHECK(names == "dS dS dQ dK dV dQ dK dV dQ dK dW_q dW_k db dw ");
}

TEST_CASE("differences see a planted error", "[04]")
{
    const ThreeGradients three = three_gradients(1)[2];
    for (const double factor : {1.001, 0.999, -1.0}) {
        const Matrix scaled = factor * three.by_hand;
        CHECK(xt::amax(xt::abs(scaled - three.by_differences))() > 1e-4);
    }
    Matrix one_lost = three.by_hand;
    one_lost(1, 2) = 0;
    CHECK(xt::amax(xt::abs(one_lost - three.by_differences))() > 1e-4);
}

TEST_CASE("softmax backward is the Jacobian times what arrives", "[04][identity]")
{
    const Matrix weights = lookup::softmax(random_matrix(3, 6, 1));
    const Matrix dweights = random_matrix(3, 6, 2);
    Matrix wanted = xt::zeros<double>({3, 6});
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t l = 0; l < 6; ++l) {
            for (std::size_t j = 0; j < 6; ++j) {
                const double slope = weights(i, j) * ((j == l ? 1.0 : 0.0) - weights(i, l));
                wanted(i, l) += dweights(i, j) * slope;
            }
        }
    }
    check_close(softmax_backward(weights, dweights), wanted, 1e-14);
}

// [claim_shift]
TEST_CASE("a row of the gradient of scores sums to zero, and a common slope is not felt",
          "[04][claim]")
{
    const Matrix weights = lookup::softmax(random_matrix(3, 6, 1));
    const Matrix dweights = random_matrix(3, 6, 2);
    const Matrix dscores = softmax_backward(weights, dweights);
    const Vector sums = xt::sum(dscores, {1});
    for (const double sum : sums) {
        CHECK_THAT(sum, WithinAbs(0, 1e-14));
    }
    check_close(softmax_backward(weights, dweights + 7.0), dscores, 1e-13);
    // Where one key has all the weight nothing flows, whatever arrives.
    CHECK((softmax_backward({{0, 1, 0}}, {{5, -3, 1e9}}) == xt::zeros<double>({1, 3})));
}
// [claim_shift]

TEST_CASE("nothing reaches a masked score, nor any score of a fully masked row", "[04][claim]")
{
    const Mask mask = {{true, false, true}, {false, false, false}};
    const Matrix weights = scoring_functions::masked_softmax({{1, 50, 2}, {1, 2, 3}}, mask);
    const Matrix alone = softmax_backward(lookup::softmax({{1, 2}}), {{3, -1}});
    for (const double arrives : {0.0, 1e300, infinity, -infinity, not_a_number}) {
        const Matrix dscores =
            softmax_backward(weights, {{3, arrives, -1}, {arrives, arrives, arrives}});
        CAPTURE(arrives);
        check_close(dscores, {{alone(0, 0), 0, alone(0, 1)}, {0, 0, 0}}, 1e-15);
        CHECK(dscores(0, 1) == 0);
        CHECK(dscores(1, 0) == 0);
    }
}

TEST_CASE("chapter 3's masked softmax is the tape's, and so are their backward passes",
          "[04][identity]")
{
    Matrix scores = random_matrix(4, 5, 7);
    scores(0, 1) = 1e300; // masked
    scores(1, 0) = -40;
    const Mask mask = {{true, false, true, true, true},
                       {true, true, true, true, true},
                       {false, false, false, false, false},
                       {false, false, false, true, false}};
    const Matrix dweights = random_matrix(4, 5, 8);
    autograd::Tape<double> tape;
    const autograd::Variable<double> x = autograd::parameter(Array<double>(scores));
    const autograd::Variable<double> weights =
        autograd::masked_softmax(x, autograd::Mask(mask));
    check_close(weights.value(), scoring_functions::masked_softmax(scores, mask), 1e-15);

    backward(sum(weights * autograd::Variable<double>(Array<double>(dweights))));
    const Matrix dscores = x.gradient();
    check_close(dscores, softmax_backward(weights.value(), dweights), 1e-15);
    CHECK(dscores(0, 1) == 0);
}

TEST_CASE("shapes that do not fit are named", "[04][bad_input]")
{
    const Matrix weights = random_matrix(2, 3, 1);
    CHECK_THROWS_WITH(softmax_backward(weights, random_matrix(3, 2, 2)),
                      contains("softmax_backward") && contains("[2, 3] and [3, 2]"));
    CHECK_THROWS_AS(weighted_sum_backward(weights, random_matrix(4, 2, 2), weights),
                    ContractError);
    CHECK_THROWS_AS(dot_product_backward(random_matrix(2, 4, 1), random_matrix(3, 4, 2),
                                         random_matrix(3, 2, 3)),
                    ContractError);
    CHECK_THROWS_WITH(
        weighted_sum_backward(weights, random_matrix(4, 2, 2), random_matrix(2, 2, 3)),
        contains("values") && contains("[4, 2]"));
    CHECK_THROWS_WITH(
        dot_product_backward(random_matrix(2, 4, 1), random_matrix(3, 5, 2), weights),
        contains("queries") && contains("[2, 4]"));
    CHECK_THROWS_WITH(additive_backward(random_matrix(2, 2, 1), random_matrix(3, 2, 2),
                                        {{{1, 0}}, {{0, 1}}, {0}, {1}}, random_matrix(3, 2, 3)),
                      contains("additive_backward") && contains("[2, 3], got [3, 2]"));
}

TEST_CASE("a key without weight moves nothing, whatever it holds", "[04][property]")
{
    const Matrix queries = random_matrix(2, 3, 1);
    Matrix keys = random_matrix(4, 3, 2);
    Matrix values = random_matrix(4, 2, 3);
    const Mask mask = {{true, true, false, true}, {false, true, false, true}};
    const Matrix dcontext = random_matrix(2, 2, 4);
    const auto walk = [&] {
        const Matrix weights =
            scoring_functions::masked_softmax(lookup::dot_product(queries, keys), mask);
        return attention_backward(queries, keys, values, weights, dcontext);
    };
    const AttentionGradients before = walk();
    for (std::size_t column = 0; column < 3; ++column) {
        keys(2, column) = not_a_number;
    }
    values(2, 0) = infinity;
    values(2, 1) = not_a_number;
    const AttentionGradients after = walk();
    CHECK((after.dqueries == before.dqueries));
    CHECK((after.dkeys == before.dkeys));
    CHECK((after.dvalues == before.dvalues));
    for (std::size_t column = 0; column < 2; ++column) {
        CHECK(after.dvalues(2, column) == 0);
        CHECK(after.dkeys(2, column) == 0);
    }
}

TEST_CASE("values feel the weights, and queries only how far values differ", "[04][claim]")
{
    // Equal values: the context cannot change, and neither query nor key is told anything.
    const Matrix queries = random_matrix(2, 3, 1);
    const Matrix keys = random_matrix(4, 3, 2);
    Matrix values = xt::ones<double>({4, 2});
    const Matrix weights = lookup::softmax(lookup::dot_product(queries, keys));
    const AttentionGradients equal =
        attention_backward(queries, keys, values, weights, random_matrix(2, 2, 4));
    CHECK(xt::amax(xt::abs(equal.dqueries))() < 1e-14);
    CHECK(xt::amax(xt::abs(equal.dkeys))() < 1e-14);
    CHECK(xt::amax(xt::abs(equal.dvalues))() > 0.1);
}

TEST_CASE("additive attention, the bias receives what the queries' sums receive", "[04]")
{
    const scoring_functions::Additive parameters = {
        random_matrix(6, 4, 1), random_matrix(6, 3, 2), column_of(random_matrix(6, 1, 3), 0),
        column_of(random_matrix(6, 1, 4), 0)};
    // One query of zeros: W_q receives nothing, b does.
    const Matrix queries = xt::zeros<double>({1, 4});
    const Matrix keys = random_matrix(5, 3, 5);
    const AdditiveGradients gradients =
        additive_backward(queries, keys, parameters, random_matrix(1, 5, 6));
    CHECK((gradients.dparameters.W_q == xt::zeros<double>({6, 4})));
    CHECK(xt::amax(xt::abs(gradients.dparameters.b))() > 1e-3);
    const Matrix by_bias =
        lookup::weighted_sum(as_row(gradients.dparameters.b), parameters.W_q);
    check_close(gradients.dqueries, by_bias, 1e-12);
}
