#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/experiments/gradients.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::backpropagation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

scoring_functions::Additive random_additive(std::size_t d)
{
    return {random_matrix(7, d, 31), random_matrix(7, d, 32),
            column_of(random_matrix(7, 1, 33), 0), column_of(random_matrix(7, 1, 34), 0)};
}

Vector random_vector(std::size_t n, std::uint64_t stream)
{
    return column_of(random_matrix(n, 1, stream), 0);
}

} // namespace

// [claim_covariance]
TEST_CASE("the slope of a context is a covariance, for every score", "[04][claim]")
{
    const std::vector<DifferentiableScore> scores =
        differentiable_scores(random_matrix(4, 4, 30), random_additive(4), 1.5);
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
        differentiable_scores(random_matrix(4, 4, 30), random_additive(4), 1.5);
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
    const scoring_functions::Additive parameters = {random_matrix(7, 3, 31),
                                                    random_matrix(7, 5, 32),
                                                    random_vector(7, 33), random_vector(7, 34)};
    const std::vector<DifferentiableScore> all =
        differentiable_scores(random_matrix(3, 5, 30), parameters, 1.0);
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
    const scoring_functions::Mask mask = {{true, true, false, true, true, false},
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
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    CHECK((covariance_of_values({0, 0}, {{nothing, 1}, {2, 3}}, {{1, 2}, {3, nothing}}) ==
           xt::zeros<double>({2, 2})));
    const Matrix two = covariance_of_values({0.25, 0.75}, {{1}, {5}}, {{2, 0}, {-2, 1}});
    check_close(two, {{-3.0, 0.75}}, 1e-15);
    check_close(covariance_of_values({0.25, 0, 0.75}, {{1}, {nothing}, {5}},
                                     {{2, 0}, {nothing, nothing}, {-2, 1}}),
                two, 1e-15);
    CHECK_THROWS_AS(covariance_of_values({1, 0}, {{1}}, {{1}, {2}}), ContractError);
    CHECK_THROWS_AS(covariance_of_values({1, 0}, {{1}, {2}}, {{1}}), ContractError);
}

TEST_CASE("at a query of zeros the cosine has no slope, and zeros are returned", "[04]")
{
    const DifferentiableScore cosine = differentiable_scores({{1}}, random_additive(1), 1)[2];
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
    const PencilPasses passes = pencil_passes();
    // Weights e^s over their sum, of the scores 1, 0, 2 and 1, 1, 4.
    const double first = std::exp(1) + 1 + std::exp(2);
    const double second = 2 * std::exp(1) + std::exp(4);
    const Matrix weights = {{std::exp(1) / first, 1 / first, std::exp(2) / first},
                            {std::exp(1) / second, std::exp(1) / second, std::exp(4) / second}};
    check_close(passes.forward.weights, weights, 1e-15);
    check_close(passes.dcontext, passes.forward.context - Matrix{{0, 2}, {3, 2}}, 1e-15);

    // By differences of the loss.
    namespace pencil = lookup::pencil_example;
    const auto loss = [&](const Matrix& queries, const Matrix& keys, const Matrix& values) {
        const Matrix context =
            lookup::weighted_sum(lookup::softmax(lookup::dot_product(queries, keys)), values);
        return 0.5 * xt::sum(xt::square(context - passes.targets))();
    };
    const Matrix Q = pencil::queries();
    const Matrix K = pencil::keys();
    const Matrix V = pencil::values();
    CHECK_THAT(passes.loss, WithinAbs(loss(Q, K, V), 1e-14));
    check_close(passes.gradients.dqueries,
                gradient_by_differences([&](const Matrix& x) { return loss(x, K, V); }, Q),
                1e-9);
    check_close(passes.gradients.dkeys,
                gradient_by_differences([&](const Matrix& x) { return loss(Q, x, V); }, K),
                1e-9);
    check_close(passes.gradients.dvalues,
                gradient_by_differences([&](const Matrix& x) { return loss(Q, K, x); }, V),
                1e-9);
    check_close(passes.dqueries, passes.gradients.dqueries, 1e-13);
    CHECK(passes.loss_after < passes.loss);
    CHECK_THAT(passes.loss_after,
               WithinAbs(loss(Q - 0.1 * passes.gradients.dqueries, K, V), 1e-14));
}
