#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <vector>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("one draw has the same first number and noise for every size of a key",
          "[02][property]")
{
    const WideSample narrow = wide_sample(1, 3, 30, 1, Matters::first);
    const WideSample wide = wide_sample(1, 3, 30, 6, Matters::first);
    CHECK((column_of(narrow.keys, 0) == column_of(wide.keys, 0)));
    CHECK((narrow.values == wide.values));
    CHECK(wide.keys(0, 1) != wide.keys(0, 2));
    CHECK((wide_sample(1, 4, 30, 1, Matters::first).values != narrow.values));
    CHECK(wide.target(7) == truth(wide.keys(7, 0)));

    const WideSample summed = wide_sample(1, 3, 30, 2, Matters::all);
    CHECK_THAT(summed.target(7),
               WithinRel((truth(summed.keys(7, 0)) + truth(summed.keys(7, 1))) / std::sqrt(2.0),
                         1e-14));
}

TEST_CASE("squared distances over chosen numbers are those of the chapter", "[02][identity]")
{
    const Matrix queries = random_matrix(4, 3, 81);
    const Matrix keys = random_matrix(6, 3, 82);
    check_close(squared_distances(queries, keys, {0, 1, 2}),
                xt::square(distances(queries, keys)), 1e-12);
    const Matrix of_second = squared_distances(queries, keys, {1});
    const double step = queries(2, 1) - keys(5, 1);
    CHECK_THAT(of_second(2, 5), WithinRel(step * step, 1e-12));
}

TEST_CASE("on keys of one number the choice is leave_one_out_error's best", "[02][identity]")
{
    const WideSample sample = wide_sample(2, 0, 50, 1, Matters::first);
    const Choice choice =
        choose_bandwidth(squared_distances(sample.keys, sample.keys, {0}), sample.values);
    const Sample plain = {column_of(sample.keys, 0), sample.values};
    CHECK_THAT(choice.error,
               WithinRel(leave_one_out_error(plain, gaussian, choice.bandwidth), 1e-9));
    for (const double width : wide_grid()) {
        CHECK(leave_one_out_error(plain, gaussian, width) >= choice.error * (1 - 1e-9));
    }
}

TEST_CASE("the error on other queries is that of the chapter's predictions", "[02][identity]")
{
    const WideSample sample = wide_sample(2, 0, 40, 1, Matters::first);
    const WideSample asked = wide_sample(2, 9, 12, 1, Matters::first);
    for (const double width : {1e-3, 0.3}) { // the first underflows
        const Prediction predicted =
            predict(column_of(asked.keys, 0), {column_of(sample.keys, 0), sample.values},
                    gaussian, width);
        const double wanted = xt::mean(xt::square(predicted.predictions - asked.target))();
        CHECK_THAT(error_on(asked, sample, {0}, width), WithinRel(wanted, 1e-9));
    }
    const double mean = xt::mean(sample.values)();
    CHECK_THAT(error_on(asked, sample, {}, 1),
               WithinRel(xt::mean(xt::square(mean - asked.target))(), 1e-12));
}

TEST_CASE("leave-one-out finds the number that matters, and none where nothing matters",
          "[02][claim]")
{
    const WideSample sample = wide_sample(1, 0, 200, 5, Matters::first);
    const std::vector<std::size_t> chosen = choose_columns(sample.keys, sample.values);
    REQUIRE_FALSE(chosen.empty());
    CHECK(chosen[0] == 0);
    CHECK(chosen.size() < 5);

    WideSample equal = sample;
    equal.values = xt::ones_like(equal.values);
    CHECK(choose_columns(equal.keys, equal.values).empty());
}

TEST_CASE("with twenty numbers all keys are far away and similarity is worth nothing",
          "[02][claim]")
{
    const auto relative_error = [](std::size_t d, double& nearest, double& average) {
        std::vector<std::size_t> all;
        for (std::size_t m = 0; m < d; ++m) {
            all.push_back(m);
        }
        const WideSample sample = wide_sample(1, 0, 200, d, Matters::first);
        const WideSample asked = wide_sample(1, 1000, 200, d, Matters::first);
        const Matrix distance = xt::sqrt(squared_distances(asked.keys, sample.keys, all));
        nearest = xt::mean(xt::amin(distance, {1}))();
        average = xt::mean(distance)();
        const Choice choice =
            choose_bandwidth(squared_distances(sample.keys, sample.keys, all), sample.values);
        return error_on(asked, sample, all, choice.bandwidth) / error_on(asked, sample, {}, 1);
    };
    double nearest = 0;
    double average = 0;
    CHECK(relative_error(1, nearest, average) < 0.1);
    CHECK(nearest < 0.02);
    CHECK(relative_error(20, nearest, average) > 0.9);
    CHECK_THAT(nearest, WithinAbs(5.8, 0.2));
    CHECK_THAT(average, WithinAbs(9.05, 0.2));
}

TEST_CASE("among twenty numbers leave-one-out finds the one that matters, and that saves it",
          "[02][claim]")
{
    for (const std::uint64_t draw : {0U, 1U, 2U}) {
        const WideSample sample = wide_sample(1, draw, 200, 20, Matters::first);
        const WideSample asked = wide_sample(1, 1000 + draw, 200, 20, Matters::first);
        const std::vector<std::size_t> chosen = choose_columns(sample.keys, sample.values);
        REQUIRE_FALSE(chosen.empty());
        CHECK(chosen[0] == 0);
        const Choice choice = choose_bandwidth(
            squared_distances(sample.keys, sample.keys, chosen), sample.values);
        CHECK(error_on(asked, sample, chosen, choice.bandwidth) <
              0.3 * error_on(asked, sample, {}, 1));
    }
}

TEST_CASE("where all of ten numbers matter, leaving most of them out lowers the error a little",
          "[02][claim]")
{
    double all = 0;
    double first_three = 0;
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
        const WideSample sample = wide_sample(1, draw, 200, 10, Matters::all);
        const WideSample asked = wide_sample(1, 1000 + draw, 200, 10, Matters::all);
        const auto relative_error = [&](const std::vector<std::size_t>& columns) {
            const Choice choice = choose_bandwidth(
                squared_distances(sample.keys, sample.keys, columns), sample.values);
            return error_on(asked, sample, columns, choice.bandwidth) /
                   error_on(asked, sample, {}, 1);
        };
        all += relative_error({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) / 20;
        first_three += relative_error({0, 1, 2}) / 20;
    }
    CHECK_THAT(all, WithinAbs(1.001, 5e-4));
    CHECK_THAT(first_three, WithinAbs(0.905, 5e-4));
}

TEST_CASE("sixteen times as many keys help keys of ten numbers little", "[02][claim]")
{
    const auto relative_error = [](std::size_t n) {
        std::vector<std::size_t> all;
        for (std::size_t m = 0; m < 10; ++m) {
            all.push_back(m);
        }
        double mean = 0;
        for (std::uint64_t draw = 0; draw < 5; ++draw) {
            const WideSample sample = wide_sample(1, draw, n, 10, Matters::first);
            const WideSample asked = wide_sample(1, 1000 + draw, 200, 10, Matters::first);
            const Choice choice = choose_bandwidth(
                squared_distances(sample.keys, sample.keys, all), sample.values);
            mean += error_on(asked, sample, all, choice.bandwidth) /
                    error_on(asked, sample, {}, 1) / 5;
        }
        return mean;
    };
    CHECK_THAT(relative_error(50), WithinAbs(1.097, 5e-4));
    CHECK_THAT(relative_error(800), WithinAbs(0.766, 5e-4));
}
