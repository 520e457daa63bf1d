#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// The sample without one of its rows.
Sample without_row(const Sample& sample, std::size_t left_out)
{
    return {xt::view(sample.keys, xt::drop(left_out)),
            xt::view(sample.values, xt::drop(left_out))};
}

/// The error of leave_one_out; an empty window means the mean of the others, or the nearest.
double error_by_mask(const Sample& sample, const Kernel& kernel, double bandwidth,
                     EmptyWindow empty = EmptyWindow::mean)
{
    const Prediction left_out = leave_one_out(sample, kernel, bandwidth);
    const double n = static_cast<double>(sample.keys.size());
    const double total = std::accumulate(sample.values.begin(), sample.values.end(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < sample.keys.size(); ++i) {
        double answer = (total - sample.values(i)) / (n - 1);
        if (left_out.keys_in_window[i] > 0) {
            answer = left_out.predictions(i);
        } else if (empty == EmptyWindow::nearest) {
            answer = leave_one_out(sample, gaussian, 1e-6).predictions(i);
        }
        sum += (answer - sample.values(i)) * (answer - sample.values(i));
    }
    return sum / n;
}

} // namespace

// [claim_mask]
TEST_CASE("masking the diagonal is the same as dropping the row", "[02][claim]")
{
    const Sample sample = awkward_sample(); // keys 0.3 and 3.1 stand there twice
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {0.05, 0.2, 1.0, 50.0}) {
            const Prediction masked = leave_one_out(sample, kernel, bandwidth);
            for (std::size_t i = 0; i < sample.keys.size(); ++i) {
                CAPTURE(kernel.name, bandwidth, i);
                const Sample rest = without_row(sample, i);
                const Prediction dropped = predict({sample.keys(i)}, rest, kernel, bandwidth);
                CHECK(masked.keys_in_window[i] == dropped.keys_in_window[0]);
                CHECK(masked.weights(i, i) == 0);
                if (dropped.keys_in_window[0] > 0) {
                    CHECK_THAT(masked.predictions(i), WithinRel(dropped.predictions(0), 1e-12));
                } else {
                    CHECK(std::isnan(masked.predictions(i)));
                }
            }
        }
    }
}
// [claim_mask]

// [claim_shortcut]
TEST_CASE("what a row is without itself follows from what it is with itself",
          "[02][claim][identity]")
{
    const Sample sample = awkward_sample();
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {0.2, 1.0, 50.0}) {
            const Prediction seen = predict(sample.keys, sample, kernel, bandwidth);
            const Prediction masked = leave_one_out(sample, kernel, bandwidth);
            for (std::size_t i = 0; i < sample.keys.size(); ++i) {
                CAPTURE(kernel.name, bandwidth, i);
                const double own = seen.weights(i, i);
                if (own > 1 - 1e-9) {
                    continue; // alone, or so narrow that 1 - own is mostly rounding
                }
                CHECK_THAT((seen.predictions(i) - own * sample.values(i)) / (1 - own),
                           WithinRel(masked.predictions(i), 1e-9));
            }
        }
    }
}
// [claim_shortcut]

TEST_CASE("a narrow Gaussian's own weight rounds to 1, and the mask still finds the neighbour",
          "[02][claim]")
{
    const Sample sample = {{0, 1, 3}, {5, 7, 20}};
    const Prediction seen = predict(sample.keys, sample, gaussian, 0.05);
    const Prediction masked = leave_one_out(sample, gaussian, 0.05);
    CHECK(seen.weights(0, 0) == 1);
    CHECK(seen.keys_in_window[0] == 3);
    CHECK(masked.predictions(0) == 7);
}

TEST_CASE("the nearest key answers, those that tie by their mean", "[02][property]")
{
    const Sample sample = {{0, 2, 2, 5}, {1, 10, 20, 7}};
    CHECK(nearest_value(1.9, sample) == 15);
    CHECK(nearest_value(2, sample, 1) == 20); // the row itself left out, not its twin
    CHECK(nearest_value(-9, sample) == 1);
    CHECK_THAT(nearest_value(1, sample), WithinRel(31.0 / 3, 1e-14));
}

TEST_CASE("a point's own value does not move its own prediction", "[02][property]")
{
    Sample sample = old_faithful();
    const Prediction before = leave_one_out(sample, gaussian, 0.3);
    sample.values(100) = 1e9;
    const Prediction after = leave_one_out(sample, gaussian, 0.3);
    CHECK(after.predictions(100) == before.predictions(100));
    CHECK(after.predictions(101) != before.predictions(101));
}

TEST_CASE("the error in plain loops is the error by the mask", "[02][identity]")
{
    for (const Sample& sample :
         {awkward_sample(), golden_sample("toy40"), golden_sample("cars")}) {
        for (const Kernel& kernel : kernels()) {
            for (const double bandwidth : width_grid(sample.keys, 25)) {
                CAPTURE(kernel.name, bandwidth, sample.keys.size());
                for (const EmptyWindow empty : {EmptyWindow::mean, EmptyWindow::nearest}) {
                    CHECK_THAT(
                        leave_one_out_error(sample, kernel, bandwidth, empty),
                        WithinRel(error_by_mask(sample, kernel, bandwidth, empty), 1e-10));
                }
            }
        }
    }
    const Kernel shorter = cut(gaussian, 4);
    const Sample sample = awkward_sample();
    CHECK_THAT(leave_one_out_error(sample, shorter, 0.2),
               WithinRel(error_by_mask(sample, shorter, 0.2), 1e-10));
}

TEST_CASE("where the Gaussian underflows the nearest other key answers", "[02][identity]")
{
    // Both paths at widths whose kernel values underflow: 0.01 and below.
    // On rows in disorder, since the plain loops sort them.
    const Sample sample = {{3.1, 0.3, 40.0, 0.0, 1.0, 0.4}, {2.0, -2.0, 100.0, 1.0, 7.0, 0.5}};
    for (const double bandwidth : {0.01, 1e-3, 1e-8}) {
        CAPTURE(bandwidth);
        CHECK_THAT(leave_one_out_error(sample, gaussian, bandwidth),
                   WithinRel(error_by_mask(sample, gaussian, bandwidth), 1e-10));
    }
    // In between, where values are tiny but not zero, they are as good.
    const Sample apart = {{0, 1, 2.001}, {5, 7, 20}};
    for (double bandwidth = 0.02; bandwidth < 0.05; bandwidth += 0.0005) {
        CAPTURE(bandwidth);
        CHECK_THAT(leave_one_out_error(apart, gaussian, bandwidth),
                   WithinRel(error_by_mask(apart, gaussian, bandwidth), 1e-9));
    }
}

TEST_CASE("the baseline is the mean of the others, at any width", "[02][claim]")
{
    const Sample sample = old_faithful();
    const Vector of_others = (xt::sum(sample.values)() - sample.values) / 271;
    const double baseline = xt::mean(xt::square(of_others - sample.values))();
    for (const double bandwidth : {1e-6, 1.0, 1e6}) {
        CHECK_THAT(leave_one_out_error(sample, kernel_named("constant"), bandwidth),
                   WithinRel(baseline, 1e-12));
    }
    // Where every window is empty each kernel falls back to it.
    const Sample apart = {{0, 10, 20}, {1, 2, 6}};
    CHECK_THAT(leave_one_out_error(apart, kernel_named("boxcar"), 1),
               WithinRel(leave_one_out_error(apart, kernel_named("constant"), 1), 1e-14));
}

TEST_CASE("on Old Faithful the error without the mask ends at the scatter among equal keys",
          "[02][claim]")
{
    const Sample sample = old_faithful();
    double scatter = 0;
    for (std::size_t i = 0; i < 272; ++i) {
        double sum = 0;
        double n_twins = 0;
        for (std::size_t j = 0; j < 272; ++j) {
            if (sample.keys(j) == sample.keys(i)) {
                sum += sample.values(j);
                n_twins += 1;
            }
        }
        scatter +=
            (sum / n_twins - sample.values(i)) * (sum / n_twins - sample.values(i)) / 272;
    }
    CHECK_THAT(scatter, WithinAbs(14.9003, 5e-5));
    for (const double width : {1e-4, 1e-6}) {
        CHECK_THAT(unmasked_error(sample, gaussian, width), WithinAbs(scatter, 1e-9));
    }
    // At 0.001 neighbours one width apart still mix.
    CHECK(unmasked_error(sample, gaussian, 1e-3) > scatter + 0.1);
}

TEST_CASE("the narrowest masked error on the synthetic table is that of the nearest neighbour",
          "[02][claim]")
{
    const Sample sample = synthetic_sample(1, 0, 40); // keys in rising order, all different
    double sum = 0;
    for (std::size_t i = 0; i < 40; ++i) {
        const double below = i > 0 ? sample.keys(i) - sample.keys(i - 1) : infinity;
        const double above = i < 39 ? sample.keys(i + 1) - sample.keys(i) : infinity;
        const double nearest = sample.values(below < above ? i - 1 : i + 1);
        sum += (nearest - sample.values(i)) * (nearest - sample.values(i));
    }
    CHECK_THAT(sum / 40, WithinAbs(2.13, 0.005));
    for (const double width : {3e-3, 1e-3, 1e-4}) {
        CAPTURE(width);
        CHECK_THAT(leave_one_out_error(sample, gaussian, width), WithinAbs(2.13, 5e-3));
    }
}

TEST_CASE("on Old Faithful widths from 0.2 to 0.5 are nearly as good as the chosen one",
          "[02][claim]")
{
    const Sample sample = old_faithful();
    for (double width = 0.2; width < 0.505; width += 0.01) {
        CAPTURE(width);
        const double error = leave_one_out_error(sample, gaussian, width);
        CHECK(error > 32.2960);
        CHECK(error < 32.4070);
    }
    CHECK_THAT(leave_one_out_error(sample, gaussian, 2), WithinAbs(108.884, 5e-4));
}

TEST_CASE("the choice is no worse than any width of a finer grid near it", "[02][property]")
{
    for (const Sample& sample : {golden_sample("toy40"), golden_sample("cars")}) {
        for (const Kernel& kernel : kernels()) {
            const Choice choice = choose_bandwidth(sample, kernel);
            CAPTURE(kernel.name, choice.bandwidth);
            CHECK(choice.error == leave_one_out_error(sample, kernel, choice.bandwidth));
            for (const double width : width_grid(sample.keys, 401)) {
                CHECK(choice.error <= leave_one_out_error(sample, kernel, width));
            }
        }
    }
    // The Gaussian's valley is smooth: nothing near it is lower either.
    const Sample cars = golden_sample("cars");
    const Choice choice = choose_bandwidth(cars, gaussian);
    for (double factor = 0.99; factor < 1.01; factor += 1e-4) {
        CHECK(leave_one_out_error(cars, gaussian, factor * choice.bandwidth) >=
              choice.error * (1 - 1e-12));
    }
}

TEST_CASE("the search goes below the grid where one key lies far away", "[02][claim]")
{
    Sample sample = synthetic_sample(1, 0, 40);
    const Choice near = choose_bandwidth(sample, gaussian);
    for (const double far : {1e3, 1e5, -1e9}) {
        CAPTURE(far);
        sample.keys(20) = far;
        const Choice choice = choose_bandwidth(sample, gaussian);
        CHECK(choice.bandwidth < std::abs(far) / 200);
        CHECK(choice.bandwidth > near.bandwidth / 2);
        CHECK(choice.bandwidth < near.bandwidth * 2);
        CHECK_FALSE(choice.at_narrow_end);
        CHECK_FALSE(choice.at_wide_end);
        for (double width = 0.01; width < 10; width *= 1.01) {
            CHECK(choice.error <= leave_one_out_error(sample, gaussian, width));
        }
    }
}

TEST_CASE("a choice at an end says at which", "[02][claim]")
{
    const Choice inside = choose_bandwidth(old_faithful(), gaussian);
    CHECK_FALSE(inside.at_narrow_end);
    CHECK_FALSE(inside.at_wide_end);

    // Values that jump: the nearest key alone is best. Values of which keys tell nothing: the mean.
    Sample jumps{Vector::from_shape({30}), Vector::from_shape({30})};
    Sample alternating = jumps;
    for (std::size_t i = 0; i < 30; ++i) {
        jumps.keys(i) = static_cast<double>(i / 2) + 0.1 * static_cast<double>(i % 2);
        jumps.values(i) = i / 2 % 2 == 0 ? 1 : 5;
        alternating.keys(i) = static_cast<double>(i);
        alternating.values(i) = i % 2 == 0 ? 1 : 5;
    }
    const Choice narrow = choose_bandwidth(jumps, gaussian);
    CHECK(narrow.at_narrow_end);
    CHECK_FALSE(narrow.at_wide_end);
    CHECK_THAT(narrow.error, WithinAbs(0, 1e-12));
    const Choice wide = choose_bandwidth(alternating, gaussian);
    CHECK(wide.at_wide_end);
    CHECK_FALSE(wide.at_narrow_end);
    CHECK_THAT(wide.error,
               WithinRel(leave_one_out_error(alternating, kernel_named("constant"), 1), 1e-6));
}

TEST_CASE("the choice does not depend on the units of keys and values", "[02][property]")
{
    const Sample plain = synthetic_sample(1, 0, 40);
    const Choice wanted = choose_bandwidth(plain, gaussian);
    for (const double unit : {0x1p-600, 0x1p600}) {
        CAPTURE(unit);
        const Choice choice = choose_bandwidth({plain.keys * unit, plain.values}, gaussian);
        CHECK_THAT(choice.bandwidth / unit, WithinRel(wanted.bandwidth, 1e-6));
        CHECK_THAT(choice.error, WithinRel(wanted.error, 1e-12));
        CHECK_THROWS_WITH(choose_bandwidth({plain.keys, plain.values * unit}, gaussian),
                          contains(unit < 1 ? "values are too small" : "values are too large"));
    }
}

TEST_CASE("on a plateau the smallest width of the grid is chosen", "[02][property]")
{
    // Any boxcar is either empty or holds the two ends of its pair: a plateau for each.
    const Sample pairs = {{0, 1, 100, 101}, {5, 5, 9, 9}};
    const Choice choice = choose_bandwidth(pairs, kernel_named("boxcar"));
    CHECK(choice.error == 0);
    const Vector grid = width_grid(pairs.keys, 401);
    double first = 0;
    for (const double width : grid) {
        if (width >= 1) {
            first = width;
            break;
        }
    }
    CHECK(choice.bandwidth == first);
}

TEST_CASE("the widths to try rise by one factor over the range of the keys", "[02]")
{
    const Vector grid = width_grid({3, 1, 5}, 401);
    REQUIRE(grid.size() == 401);
    CHECK_THAT(grid(0), WithinRel(4.0 / 200, 1e-12));
    CHECK_THAT(grid(400), WithinRel(8.0, 1e-12));
    for (std::size_t i = 1; i < 401; ++i) {
        CHECK_THAT(grid(i) / grid(i - 1), WithinRel(std::pow(400, 1.0 / 400), 1e-12));
    }
    CHECK_THROWS_WITH(width_grid({2, 2, 2}, 401), contains("keys must differ"));
    CHECK_THROWS_AS(width_grid({2}, 401), ContractError);
    CHECK_THROWS_AS(width_grid({1, 2}, 1), ContractError);
    CHECK_THROWS_AS(width_grid({-1e308, 1e308}, 401), ContractError);
}

TEST_CASE("one point cannot be left out, and the mask wants a square", "[02][bad_input]")
{
    CHECK_THROWS_WITH(leave_one_out({{1}, {1}}, gaussian, 1), contains("at least 2"));
    CHECK_THROWS_WITH(leave_one_out_error({{1}, {1}}, gaussian, 1), contains("at least 2"));
    CHECK_THROWS_AS(leave_one_out_error({{1, 2}, {1, 2}}, gaussian, 0), ContractError);
    CHECK_THROWS_WITH(leave_one_out_error({{1, 2}, {1}}, gaussian, 1), contains("values"));
    CHECK_THROWS_AS(choose_bandwidth({{1, 1}, {1, 2}}, gaussian), ContractError);
    CHECK_THROWS_WITH(choose_bandwidth({{1, 2}, {1e300, -1e300}}, gaussian),
                      contains("values are too large"));
    const lookup::Score masked = mask_diagonal(score(gaussian, 1));
    CHECK_THROWS_WITH(masked({{1}, {2}}, {{1}}), contains("mask_diagonal"));
    CHECK(masked({{1}, {2}}, {{1}, {2}})(1, 1) == -infinity);
    CHECK(masked({{1}, {2}}, {{1}, {2}})(0, 1) > -infinity);
}
