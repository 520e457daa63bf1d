#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/exercises/solutions.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::backpropagation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using scoring_functions::Mask;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Vector random_vector(std::size_t n, std::uint64_t stream)
{
    return column_of(random_matrix(n, 1, stream), 0);
}

scoring_functions::Additive random_additive(std::size_t d_q, std::size_t d_k)
{
    return {random_matrix(7, d_q, 31), random_matrix(7, d_k, 32), random_vector(7, 33),
            random_vector(7, 34)};
}

} // namespace

TEST_CASE("the toy tape has the derivatives of (ab + a)^2", "[04][claim]")
{
    for (const double a : {2.0, -1.5, 0.0}) {
        for (const double b : {3.0, -0.25}) {
            CAPTURE(a, b);
            toy::Tape tape = toy_example(a, b);
            REQUIRE(tape.size() == 5);
            CHECK_THAT(tape[4].value, WithinAbs(a * a * (b + 1) * (b + 1), 1e-14));
            toy::backward(tape, 4);
            CHECK_THAT(tape[0].gradient, WithinAbs(2 * a * (b + 1) * (b + 1), 1e-14));
            CHECK_THAT(tape[1].gradient, WithinAbs(2 * a * a * (b + 1), 1e-14));
        }
    }
}

// [claim_order]
TEST_CASE("a step of the tape that takes its turn too early passes on too little",
          "[04][claim]")
{
    toy::Tape tape = toy_example(2, 3);
    for (std::size_t index = 0; index < tape.size(); ++index) {
        for (const toy::Input& input : tape[index].inputs) {
            CHECK(input.index < index); // every use stands after what it uses
        }
    }
    tape[4].gradient = 1;
    for (const std::size_t index : {4U, 2U, 3U}) { // u before v
        toy::pass_on(tape, index);
    }
    CHECK(tape[0].gradient == 16); // of 64
    CHECK(tape[1].gradient == 0);  // of 32
}
// [claim_order]

TEST_CASE("differences err by truncation above a step and by rounding below it", "[04][claim]")
{
    CHECK(difference_errors(1e-1).central > 1e-3);
    CHECK(difference_errors(1e-5).central < 1e-9);
    CHECK(difference_errors(1e-11).central > 1e-7);
    CHECK(difference_errors(1e-3).extrapolated < 1e-11);
    // Rounding grows as 1 / h.
    for (const double h : {1e-7, 1e-9}) {
        const double growth = difference_errors(h / 100).central / difference_errors(h).central;
        CHECK(growth > 20);
        CHECK(growth < 500);
    }
    for (const double h : {1e-1, 1e-2, 1e-3, 1e-7, 1e-9, 1e-11}) {
        CHECK(difference_errors(h).central > difference_errors(1e-5).central);
    }
    CHECK(difference_errors(1e-3).extrapolated < difference_errors(1e-3).central / 1000);
    // Truncation is h^2 / 6 of the third derivative, and h^4 / 480 of the fifth.
    CHECK_THAT(difference_errors(1e-2).central, WithinAbs(1e-4 / 6, 1e-9));
    CHECK_THAT(difference_errors(1e-1).extrapolated, WithinAbs(1e-4 / 480, 1e-9));
}

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
    const scoring_functions::Additive parameters = random_additive(4, 3);
    // One query of zeros: W_q receives nothing, b does.
    const Matrix queries = xt::zeros<double>({1, 4});
    const Matrix keys = random_matrix(5, 3, 5);
    const AdditiveGradients gradients =
        additive_backward(queries, keys, parameters, random_matrix(1, 5, 6));
    CHECK((gradients.dparameters.W_q == xt::zeros<double>({7, 4})));
    CHECK(xt::amax(xt::abs(gradients.dparameters.b))() > 1e-3);
    const Matrix by_bias =
        lookup::weighted_sum(as_row(gradients.dparameters.b), parameters.W_q);
    check_close(gradients.dqueries, by_bias, 1e-12);
}

// [claim_covariance]
TEST_CASE("the slope of a context is a covariance, for every score", "[04][claim]")
{
    const std::vector<DifferentiableScore> scores =
        differentiable_scores(random_matrix(4, 4, 30), random_additive(4, 4), 1.5);
    REQUIRE(scores.size() == 7);
    for (const std::uint64_t draw : {100U, 200U, 300U}) {
        const Vector query = random_vector(4, draw);
        const Matrix keys = random_matrix(6, 4, draw + 1);
        const Matrix values = random_matrix(6, 3, draw + 2);
        for (const ContextJacobian& one : context_jacobians(query, keys, values, scores)) {
            CAPTURE(one.score, draw);
            check_close(one.by_covariance, one.by_differences, 1e-9);
        }
    }
}
// [claim_covariance]

TEST_CASE("every score's slopes are those of differences", "[04][claim]")
{
    const std::vector<DifferentiableScore> scores =
        differentiable_scores(random_matrix(4, 4, 30), random_additive(4, 4), 1.5);
    const Vector query = random_vector(4, 1);
    const Matrix keys = random_matrix(6, 4, 2);
    const Matrix row = as_row(query);
    for (const DifferentiableScore& one : scores) {
        const Matrix gradients = one.gradients(query, keys);
        REQUIRE(gradients.shape(0) == 6);
        for (std::size_t j = 0; j < 6; ++j) {
            CAPTURE(one.score.name, j);
            check_close(single_row(gradients, j),
                        gradient_by_differences(
                            [&](const Matrix& q) { return one.score(q, keys)(0, j); }, row),
                        1e-9);
        }
    }
}

TEST_CASE("a query and a key of different sizes, where the score allows it", "[04]")
{
    const std::vector<DifferentiableScore> all =
        differentiable_scores(random_matrix(3, 5, 30), random_additive(3, 5), 1.0);
    const std::vector<DifferentiableScore> scores = {all[4], all[5]};
    for (const ContextJacobian& one : context_jacobians(
             random_vector(3, 1), random_matrix(6, 5, 2), random_matrix(6, 2, 3), scores)) {
        CAPTURE(one.score);
        REQUIRE(one.by_covariance.shape(1) == 3);
        check_close(one.by_covariance, one.by_differences, 1e-9);
    }
}

TEST_CASE("the covariance is the backward pass of attention, query by query", "[04][identity]")
{
    const Matrix queries = random_matrix(3, 4, 1);
    const Matrix keys = random_matrix(6, 4, 2);
    const Matrix values = random_matrix(6, 2, 3);
    const Matrix dcontext = random_matrix(3, 2, 4);
    const Mask mask = {{true, true, false, true, true, false},
                       {true, true, true, true, true, true},
                       {false, false, false, false, false, false}};
    const Matrix weights =
        scoring_functions::masked_softmax(lookup::dot_product(queries, keys), mask);
    const Matrix dqueries =
        attention_backward(queries, keys, values, weights, dcontext).dqueries;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector row = xt::view(weights, i, xt::all());
        const Matrix covariance = covariance_of_values(row, values, keys);
        check_close(single_row(dqueries, i),
                    lookup::weighted_sum(single_row(dcontext, i), covariance), 1e-14);
    }
    CHECK((single_row(dqueries, 2) == xt::zeros<double>({1, 4})));
}

TEST_CASE("a fully masked query has no gradient, and a masked key no part in one", "[04]")
{
    CHECK((covariance_of_values({0, 0}, {{not_a_number, 1}, {2, 3}},
                                {{1, 2}, {3, not_a_number}}) == xt::zeros<double>({2, 2})));
    const Matrix two = covariance_of_values({0.25, 0.75}, {{1}, {5}}, {{2, 0}, {-2, 1}});
    check_close(two, {{-3.0, 0.75}}, 1e-15);
    check_close(covariance_of_values({0.25, 0, 0.75}, {{1}, {not_a_number}, {5}},
                                     {{2, 0}, {not_a_number, not_a_number}, {-2, 1}}),
                two, 1e-15);
    CHECK_THROWS_AS(covariance_of_values({1, 0}, {{1}}, {{1}, {2}}), ContractError);
    CHECK_THROWS_AS(covariance_of_values({1, 0}, {{1}, {2}}, {{1}}), ContractError);
}

TEST_CASE("at a query of zeros the cosine has no slope, and zeros are returned", "[04]")
{
    const DifferentiableScore cosine =
        differentiable_scores({{1}}, random_additive(1, 1), 1)[2];
    CHECK(cosine.score.name == "cosine");
    CHECK((cosine.gradients({0, 0}, {{1, 2}, {0, 0}}) == xt::zeros<double>({2, 2})));
    check_close(cosine.gradients({3, 4}, {{0, 0}}), {{0, 0}}, 1e-15);
}

TEST_CASE("only for values that are the keys it is the covariance of the keys", "[04][claim]")
{
    const Vector weights = column_of(xt::transpose(lookup::softmax(random_matrix(1, 6, 1))), 0);
    const Matrix keys = random_matrix(6, 3, 2);
    const Matrix covariance = covariance_of_values(weights, keys, keys);
    check_close(covariance, xt::transpose(covariance), 1e-15);
    for (std::size_t m = 0; m < 3; ++m) {
        CHECK(covariance(m, m) > 0); // a variance
    }
}

TEST_CASE("the pencil example, forwards and backwards", "[04][claim]")
{
    namespace pencil = lookup::pencil_example;
    const Matrix Q = pencil::queries();
    const Matrix K = pencil::keys();
    const Matrix V = pencil::values();
    const Matrix targets = {{0, 2}, {3, 2}};
    // Weights e^s over their sum, of the scores 1, 0, 2 and 1, 1, 4.
    const double first = std::exp(1) + 1 + std::exp(2);
    const double second = 2 * std::exp(1) + std::exp(4);
    const Matrix weights = {{std::exp(1) / first, 1 / first, std::exp(2) / first},
                            {std::exp(1) / second, std::exp(1) / second, std::exp(4) / second}};
    const auto attend = [](const Matrix& queries, const Matrix& keys, const Matrix& values) {
        return lookup::weighted_sum(lookup::softmax(lookup::dot_product(queries, keys)),
                                    values);
    };
    check_close(attend(Q, K, V), lookup::weighted_sum(weights, V), 1e-14);

    const auto loss = [&](const Matrix& queries, const Matrix& keys, const Matrix& values) {
        return 0.5 * xt::sum(xt::square(attend(queries, keys, values) - targets))();
    };
    const AttentionGradients gradients =
        attention_backward(Q, K, V, weights, attend(Q, K, V) - targets);
    check_close(gradients.dqueries,
                gradient_by_differences([&](const Matrix& x) { return loss(x, K, V); }, Q),
                1e-9);
    check_close(gradients.dkeys,
                gradient_by_differences([&](const Matrix& x) { return loss(Q, x, V); }, K),
                1e-9);
    check_close(gradients.dvalues,
                gradient_by_differences([&](const Matrix& x) { return loss(Q, K, x); }, V),
                1e-9);
    const Matrix lower = Q - 0.1 * gradients.dqueries;
    CHECK(loss(lower, K, V) < loss(Q, K, V));
    // All scores of the second query fall, the third most.
    const Matrix change = lookup::dot_product(lower, K) - lookup::dot_product(Q, K);
    CHECK(change(1, 0) < 0);
    CHECK(change(1, 1) < 0);
    CHECK(change(1, 2) < change(1, 0));
}

TEST_CASE("exercise 4.1, the gradient of log softmax and of the cross-entropy",
          "[04][solution]")
{
    const Matrix scores = random_matrix(3, 5, 1);
    const Matrix dlog = random_matrix(3, 5, 2);
    const Matrix weights = lookup::softmax(scores);
    const auto loss = [&](const Matrix& s) {
        return xt::sum(dlog * xt::log(lookup::softmax(s)))();
    };
    check_close(solutions::log_softmax_backward(weights, dlog),
                gradient_by_differences(loss, scores), 1e-9);
    // The same by the softmax's own backward pass, as long as no weight is 0.
    const Matrix dweights = dlog / weights;
    check_close(solutions::log_softmax_backward(weights, dlog),
                softmax_backward(weights, dweights), 1e-13);

    const std::vector<std::size_t> right = {4, 0, 0};
    const auto cross_entropy = [&](const Matrix& s) {
        const Matrix alpha = lookup::softmax(s);
        return -(std::log(alpha(0, 4)) + std::log(alpha(1, 0)) + std::log(alpha(2, 0))) / 3;
    };
    const Matrix slopes = solutions::cross_entropy_gradient(weights, right);
    check_close(slopes, gradient_by_differences(cross_entropy, scores), 1e-9);
    CHECK_THAT(slopes(0, 4), WithinAbs((weights(0, 4) - 1) / 3, 1e-15));
    CHECK_THAT(slopes(0, 0), WithinAbs(weights(0, 0) / 3, 1e-15));
    // A wrong decision beyond all doubt, where the softmax's own backward pass has nothing to
    // say.
    const Matrix decided = lookup::softmax({{0, 1000}});
    CHECK((solutions::cross_entropy_gradient(decided, {0}) == Matrix{{-1, 1}}));
    CHECK((softmax_backward(decided, {{-1, 0}}) == Matrix{{0, 0}}));
    CHECK_THROWS_AS(solutions::cross_entropy_gradient(weights, {0, 1}), ContractError);
    CHECK_THROWS_AS(solutions::cross_entropy_gradient(weights, {0, 1, 5}), ContractError);
    CHECK_THROWS_AS(solutions::log_softmax_backward(weights, random_matrix(3, 4, 1)),
                    ContractError);
}

TEST_CASE("exercise 4.2, the slope of the temperature", "[04][solution]")
{
    const Vector scores = random_vector(6, 3);
    const Matrix values = random_matrix(6, 2, 4);
    const Matrix row = as_row(scores);
    for (const double temperature : {0.3, 1.0, 4.0}) {
        const Vector slope =
            solutions::derivative_of_log_temperature(scores, values, temperature);
        for (std::size_t a = 0; a < 2; ++a) {
            const auto context = [&](const Matrix& log_temperature) {
                return lookup::weighted_sum(
                    lookup::softmax(row, std::exp(log_temperature(0, 0))), values)(0, a);
            };
            CHECK_THAT(slope(a), WithinAbs(gradient_by_differences(
                                               context, {{std::log(temperature)}})(0, 0),
                                           1e-9));
        }
    }
    // Values that are the scores: warmer is always less.
    CHECK(solutions::derivative_of_log_temperature(scores, as_column(scores), 1)(0) < 0);
    CHECK_THROWS_AS(solutions::derivative_of_log_temperature(scores, values, 0), ContractError);
}
