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
