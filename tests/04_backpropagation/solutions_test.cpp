#include "chapters/04_backpropagation/exercises/solutions.hpp"

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/04_backpropagation/experiments/gradients.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>

using namespace attn;
using namespace attn::backpropagation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

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
    // A wrong decision beyond all doubt, where the softmax's own backward pass has nothing to say.
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
    const Vector scores = column_of(random_matrix(6, 1, 3), 0);
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

TEST_CASE("exercise 4.3, the slope of the width by hand is the tape's", "[04][solution]")
{
    for (const NamedTable& table : tables_of_chapter_2()) {
        const WidthProblem problem = width_problem(table.sample, Diagonal::masked);
        for (const double share : {0.02, 0.1, 0.5}) {
            const double width = share * problem.range;
            CAPTURE(table.name, width);
            CHECK_THAT(solutions::derivative_of_log_width(table.sample, width),
                       WithinRel(error_and_derivative(width, problem).derivative, 1e-9));
        }
    }
    CHECK_THROWS_AS(solutions::derivative_of_log_width({{1}, {1}}, 1), ContractError);
}

TEST_CASE("exercise 4.4, small steps from the two sides of the hill", "[04][solution]")
{
    const WidthProblem faithful =
        width_problem(tables_of_chapter_2()[1].sample, Diagonal::masked);
    const Minimum narrow = {0.26140697, 32.296059};
    const Minimum wide = {0.5842948, 32.369518};
    const double top = solutions::watershed(faithful, narrow, wide);
    CHECK_THAT(top, WithinAbs(0.4544, 0.0005));
    CHECK(error_and_derivative(top, faithful).error > wide.error);
    for (const double side : {0.99, 1.01}) {
        const Descent descent = learn_width(faithful, side * top, {0.005, 1000, 1e-7});
        CHECK_THAT(descent.widths.back(),
                   WithinAbs(side < 1 ? narrow.width : wide.width, 1e-2));
    }
    CHECK_THROWS_AS(solutions::watershed(faithful, wide, narrow), ContractError);
}
