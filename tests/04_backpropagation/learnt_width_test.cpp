#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/04_backpropagation/exercises/solutions.hpp"
#include "common/autograd/gradient_check.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <map>
#include <string>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using nadaraya_watson::kernel_named;

namespace {

/// The optimum of R's optimize on each table: width and error.
struct Optimum
{
    double width;
    double error;
};

const std::map<std::string, Optimum> by_R = {{"toy", {0.42893419, 0.9063724252}},
                                             {"Old Faithful", {0.26140696, 32.29605883}},
                                             {"cars", {1.6297627, 248.6952999}}};

NamedTable table_named(const std::string& name)
{
    for (const NamedTable& table : tables_of_chapter_2()) {
        if (table.name == name) {
            return table;
        }
    }
    throw std::out_of_range(name);
}

} // namespace

TEST_CASE("the error along the tape is chapter 2's", "[04][identity]")
{
    const nadaraya_watson::Kernel& gaussian = kernel_named("gaussian");
    for (const auto& [name, sample] : tables_of_chapter_2()) {
        const WidthProblem masked = width_problem(sample, Diagonal::masked);
        const WidthProblem unmasked = width_problem(sample, Diagonal::unmasked);
        for (const double share : {0.001, 0.01, 0.1, 1.0}) {
            const double width = share * masked.range;
            CAPTURE(name, width);
            CHECK_THAT(error_and_derivative(width, masked).error,
                       WithinRel(nadaraya_watson::leave_one_out_error(sample, gaussian, width),
                                 1e-10));
            CHECK_THAT(
                error_and_derivative(width, unmasked).error,
                WithinRel(nadaraya_watson::unmasked_error(sample, gaussian, width), 1e-9));
        }
    }
}

TEST_CASE("the slope of the error is that of differences", "[04]")
{
    const WidthProblem toy = width_problem(table_named("toy").sample, Diagonal::masked);
    for (const double width : {0.05, 0.4, 3.0}) {
        const autograd::GradientCheck check = autograd::check_gradient(
            [&](const std::vector<autograd::Variable<double>>& inputs) {
                return prediction_error(inputs[0], toy);
            },
            {filled({1, 1}, std::log(width))});
        INFO("width " << width << ": " << check.first_mismatch);
        CHECK(check.passed);
    }
}

// [claim_width]
TEST_CASE("descent finds the width that leave-one-out chooses", "[04][claim]")
{
    for (const auto& [name, sample] : tables_of_chapter_2()) {
        const WidthProblem problem = width_problem(sample, Diagonal::masked);
        for (const double share : {0.01, 0.1, 1.0}) {
            if (name == "Old Faithful" && share == 1.0) {
                continue; // ends in the other valley
            }
            CAPTURE(name, share);
            const Descent descent = learn_width(problem, share * problem.range);
            CHECK_THAT(descent.widths.back(), WithinAbs(by_R.at(name).width, 1e-4));
            CHECK_THAT(descent.errors.back(), WithinRel(by_R.at(name).error, 1e-8));
        }
    }
}

TEST_CASE("from a wide start Old Faithful's descent ends in the second valley", "[04][claim]")
{
    const WidthProblem problem =
        width_problem(table_named("Old Faithful").sample, Diagonal::masked);
    const Descent descent = learn_width(problem, problem.range);
    CHECK_THAT(descent.widths.back(), WithinAbs(0.5843, 1e-3));
    CHECK_THAT(descent.errors.back(), WithinAbs(32.3695, 1e-4));

    const std::vector<Minimum> found =
        local_minima(problem, 0.01 * problem.range, problem.range);
    REQUIRE(found.size() == 2);
    CHECK_THAT(found[0].width, WithinAbs(by_R.at("Old Faithful").width, 1e-6));
    CHECK_THAT(found[1].width, WithinAbs(0.58429, 1e-5));
    CHECK_THAT(found[1].error, WithinAbs(32.36952, 1e-5));
}
// [claim_width]

// [claim_collapse]
TEST_CASE("a width learnt while points look at themselves collapses", "[04][claim]")
{
    // No two keys of the toy table are equal: it is known by heart.
    const WidthProblem toy = width_problem(table_named("toy").sample, Diagonal::unmasked);
    const Descent from_narrow = learn_width(toy, 0.01 * toy.range);
    CHECK(from_narrow.widths.back() < 0.001);
    CHECK(from_narrow.errors.back() < 1e-4);
    const Descent by_heart = learn_width(toy, 0.1 * toy.range);
    CHECK(by_heart.widths.back() < 0.001);
    CHECK(by_heart.errors.back() < 1e-4);
    const WidthProblem honest = width_problem(table_named("toy").sample, Diagonal::masked);
    CHECK(error_and_derivative(by_heart.widths.back(), honest).error >
          2 * by_R.at("toy").error);

    // Of equal speeds only the mean can be known by heart.
    const WidthProblem cars = width_problem(table_named("cars").sample, Diagonal::unmasked);
    const double width = learn_width(cars, 0.1 * cars.range).widths.back();
    CHECK(width < 0.3);
    CHECK_THAT(error_and_derivative(width, cars).error, WithinAbs(135.30, 0.01));
}
// [claim_collapse]

TEST_CASE("without the mask the error falls with the width, whatever the start", "[04][claim]")
{
    const WidthProblem faithful =
        width_problem(table_named("Old Faithful").sample, Diagonal::unmasked);
    for (const double share : {0.01, 0.1, 1.0}) {
        DescentOptions options;
        options.n_steps = 150;
        const Descent descent = learn_width(faithful, share * faithful.range, options);
        CHECK(descent.widths.back() < 0.9 * descent.widths.front());
        CHECK(error_and_derivative(descent.widths.back(), faithful).derivative >
              0); // and on it goes
    }
}

TEST_CASE("a descent keeps its path, rests when it has arrived, and can be repeated", "[04]")
{
    const WidthProblem toy = width_problem(table_named("toy").sample, Diagonal::masked);
    const Descent descent = learn_width(toy, 0.5);
    REQUIRE(descent.widths.size() == descent.errors.size());
    CHECK(descent.widths.front() == 0.5);
    CHECK(descent.widths.size() < 2001);
    CHECK_THAT(descent.errors.front(), WithinRel(error_and_derivative(0.5, toy).error, 1e-14));
    CHECK(learn_width(toy, 0.5).widths == descent.widths);
    DescentOptions options;
    options.n_steps = 7;
    CHECK(learn_width(toy, 0.5, options).widths.size() == 8);
}

TEST_CASE("tables and widths that cannot be used are refused", "[04][bad_input]")
{
    const WidthProblem toy = width_problem(table_named("toy").sample, Diagonal::masked);
    CHECK_THROWS_WITH(width_problem({{1}, {1}}, Diagonal::masked), contains("at least 2"));
    CHECK_THROWS_WITH(width_problem({{1, 2}, {1}}, Diagonal::masked), contains("one a key"));
    CHECK_THROWS_WITH(width_problem({{3, 3}, {1, 2}}, Diagonal::masked), contains("range"));
    CHECK_THROWS_AS(width_problem({{1, std::nan("")}, {1, 2}}, Diagonal::unmasked),
                    ContractError);
    CHECK_THROWS_AS(error_and_derivative(0, toy), ContractError);
    CHECK_THROWS_AS(learn_width(toy, -1), ContractError);
    CHECK_THROWS_AS(local_minima(toy, 2, 1), ContractError);
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
