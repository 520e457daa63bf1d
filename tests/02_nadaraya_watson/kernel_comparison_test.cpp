#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/02_nadaraya_watson/exercises/solutions.hpp"
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::nadaraya_watson::solutions;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("sorting keeps each value with its key", "[02][property]")
{
    const Sample rising = sorted({{3, 1, 2, 1}, {30, 10, 20, 11}});
    CHECK((rising.keys == Vector{1, 1, 2, 3}));
    CHECK((rising.values == Vector{10, 11, 20, 30}));
}

TEST_CASE("the synthetic sample scatters about the truth with noise of variance 1",
          "[02][property]")
{
    const Sample sample = synthetic_sample(3, 0, 4000);
    CHECK(std::is_sorted(sample.keys.begin(), sample.keys.end()));
    CHECK(sample.keys(0) >= 0);
    CHECK(sample.keys(3999) < 5);
    const Vector noise = sample.values - (2.0 * xt::sin(sample.keys) + sample.keys);
    CHECK_THAT(xt::mean(noise)(), WithinAbs(0, 0.06));            // four standard errors
    CHECK_THAT(xt::mean(xt::square(noise))(), WithinAbs(1, 0.1)); // four standard errors
}

TEST_CASE("draws are reproducible and different", "[02][property]")
{
    CHECK((synthetic_sample(1, 4, 40).values == synthetic_sample(1, 4, 40).values));
    CHECK((synthetic_sample(1, 4, 40).values != synthetic_sample(1, 5, 40).values));
    CHECK((synthetic_sample(1, 4, 40).values != synthetic_sample(2, 4, 40).values));
}

TEST_CASE("the error against the truth is the mean over its queries", "[02][oracle]")
{
    const Sample sample = synthetic_sample(1, 0, 40);
    const double mean = xt::mean(sample.values)();
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {0.08, 0.4, 3.0}) {
            for (const EmptyWindow empty : {EmptyWindow::mean, EmptyWindow::nearest}) {
                double sum = 0;
                double n_empty = 0;
                for (int i = 0; i <= 50; ++i) {
                    const double query = 0.1 * i;
                    double answer = oracle(query, sample, kernel, bandwidth);
                    if (std::isnan(answer)) {
                        answer = empty == EmptyWindow::mean
                                     ? mean
                                     : predict({query}, sample, gaussian, 1e-4).predictions(0);
                        n_empty += 1;
                    }
                    sum += (answer - truth(query)) * (answer - truth(query));
                }
                CAPTURE(kernel.name, bandwidth);
                const TruthError found = error_against_truth(sample, kernel, bandwidth, empty);
                CHECK_THAT(found.error, WithinRel(sum / 51, 1e-9));
                CHECK_THAT(found.share_empty, WithinAbs(n_empty / 51, 1e-12));
            }
        }
    }
    CHECK_THROWS_AS(error_against_truth(sample, kernels()[0], 0, EmptyWindow::mean),
                    ContractError);
}

// [claim_comparison]
TEST_CASE("the width matters, the kernel hardly, and half of the rest is the empty window's",
          "[02][claim]")
{
    const auto excess_of = [](const std::vector<KernelResult>& results, std::size_t i) {
        return Vector(results[i].error - results[0].error); // draw by draw
    };
    const std::vector<KernelResult> by_mean = compare_kernels(1, 100, EmptyWindow::mean, 2);
    const std::vector<KernelResult> by_nearest =
        compare_kernels(1, 100, EmptyWindow::nearest, 2);
    REQUIRE(by_mean.size() == 4);
    REQUIRE(by_mean[0].error.size() == 100);
    CHECK((by_mean[0].error == by_nearest[0].error)); // the Gaussian's window is never empty

    for (const auto& results : {by_mean, by_nearest}) {
        const double of_gaussian = xt::mean(results[0].smallest_error)();
        for (const KernelResult& result : results) {
            CAPTURE(result.name);
            // In hindsight smooth kernels are within 2 % of the Gaussian, the boxcar is 8 to
            // 10 % behind; choosing costs more.
            const double hindsight = xt::mean(result.smallest_error)();
            const double at_most = result.name == "boxcar" ? 0.1 : 0.02;
            CHECK_THAT(hindsight / of_gaussian, WithinAbs(1, at_most));
            CHECK((result.name != "boxcar" || hindsight > 1.08 * of_gaussian));
            CHECK(xt::mean(result.error)() > 1.35 * hindsight);
        }
    }

    // With the mean for an empty window each is behind by more than twice the standard error;
    // with the nearest key the boxcar and, less, the parabola, but not clearly the tent.
    const double with_mean[] = {0, 0.048, 0.040, 0.041};
    const double with_nearest[] = {0, 0.030, 0.013, 0.006};
    for (const std::size_t i : {1U, 2U, 3U}) {
        CAPTURE(by_mean[i].name);
        const Vector mean = excess_of(by_mean, i);
        const Vector nearest = excess_of(by_nearest, i);
        CHECK_THAT(xt::mean(mean)(), WithinAbs(with_mean[i], 5e-4));
        CHECK_THAT(xt::mean(nearest)(), WithinAbs(with_nearest[i], 5e-4));
        CHECK(xt::mean(mean)() > 2 * standard_error_of(mean));
        CHECK((xt::mean(nearest)() > 2 * standard_error_of(nearest)) == (i < 3));
    }
}
// [claim_comparison]

TEST_CASE("with other seeds, too, the nearest key is the better answer to an empty window",
          "[02][claim]")
{
    for (const std::uint64_t seed : {2U, 3U, 4U}) {
        const std::vector<KernelResult> by_mean =
            compare_kernels(seed, 40, EmptyWindow::mean, 2);
        const std::vector<KernelResult> by_nearest =
            compare_kernels(seed, 40, EmptyWindow::nearest, 2);
        for (std::size_t i = 1; i < by_mean.size(); ++i) {
            CAPTURE(seed, by_mean[i].name);
            CHECK(xt::mean(by_nearest[i].error)() < xt::mean(by_mean[i].error)());
        }
    }
}

// [claim_jumps]
TEST_CASE("only the boxcar's error jumps where a key enters a window that holds one",
          "[02][claim]")
{
    const Sample sample = synthetic_sample(1, 0, 40); // keys in rising order
    const auto nearest_of = [&](std::size_t i) {
        const double below = i > 0 ? sample.keys(i) - sample.keys(i - 1) : infinity;
        const double above = i < 39 ? sample.keys(i + 1) - sample.keys(i) : infinity;
        return std::min(below, above);
    };
    for (const char* name : {"boxcar", "epanechnikov", "triangular"}) {
        const Kernel& kernel = kernel_named(name);
        double largest_jump = 0;
        double largest_first = 0;    // where the first key enters an empty window
        double largest_answered = 0; // that, where the nearest key answered before
        for (std::size_t i = 0; i < 40; ++i) {
            for (std::size_t j = i + 1; j < 40; ++j) {
                const double width = sample.keys(j) - sample.keys(i);
                const double before = leave_one_out_error(sample, kernel, width * (1 - 1e-9));
                const double after = leave_one_out_error(sample, kernel, width * (1 + 1e-9));
                const bool first =
                    width <= nearest_of(i) * (1 + 1e-9) || width <= nearest_of(j) * (1 + 1e-9);
                double& largest = first ? largest_first : largest_jump;
                largest = std::max(largest, std::abs(after - before));
                const auto answered = [&](double h) {
                    return leave_one_out_error(sample, kernel, h, EmptyWindow::nearest);
                };
                largest_answered =
                    std::max(largest_answered, std::abs(answered(width * (1 + 1e-9)) -
                                                        answered(width * (1 - 1e-9))));
            }
        }
        CAPTURE(name, largest_jump, largest_first);
        if (kernel.includes_edge) {
            CHECK_THAT(largest_jump, WithinAbs(0.253, 5e-4));
        } else {
            CHECK(largest_jump < 1e-6);
            CHECK(largest_answered < 1e-6);
        }
        CHECK(largest_first > 0.01);
    }
}
// [claim_jumps]

// [claim_densities]
TEST_CASE("the mean of the value given the key, from two density estimates, is the estimate",
          "[02][claim][identity]")
{
    const Sample sample = awkward_sample();
    constexpr double h = 0.8;
    for (const char* name : {"gaussian", "epanechnikov", "triangular"}) {
        const Kernel& kernel = kernel_named(name);
        for (const double g : {0.5, 2.0}) { // the width for the values cancels
            for (const double query : {0.1, 2.5, 3.4}) {
                // Integrate v times the density of key and value together, over v.
                double integral = 0;
                constexpr double step = 0.01;
                for (double v = -40; v < 140; v += step) {
                    double together = 0;
                    for (std::size_t j = 0; j < sample.keys.size(); ++j) {
                        together += kernel((query - sample.keys(j)) / h) *
                                    kernel((v - sample.values(j)) / g);
                    }
                    integral += step * v * together / (9 * h * g);
                }
                const double of_key = density({query}, sample.keys, kernel, h)(0);
                CAPTURE(name, g, query);
                const double wanted = predict({query}, sample, kernel, h).predictions(0);
                CHECK_THAT(integral / of_key, WithinAbs(wanted, 1e-3));
            }
        }
    }
}
// [claim_densities]

TEST_CASE("the comparison does not depend on the number of threads", "[02][property]")
{
    const std::vector<KernelResult> one = compare_kernels(1, 5, EmptyWindow::mean, 1);
    const std::vector<KernelResult> three = compare_kernels(1, 5, EmptyWindow::mean, 3);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK((one[i].error == three[i].error));
        CHECK((one[i].bandwidth == three[i].bandwidth));
        CHECK((one[i].smallest_error == three[i].smallest_error));
    }
    CHECK_THROWS_AS(compare_kernels(1, 1, EmptyWindow::mean, 1), ContractError);
}

TEST_CASE("the widest gap is found whatever the order of the keys", "[02]")
{
    const Gap gap = widest_gap({5, 1, 2, 9, 4.5});
    CHECK(gap.below == 5);
    CHECK(gap.above == 9);
    CHECK(widest_gap({7, 7}).above == 7);
    CHECK_THROWS_AS(widest_gap({1}), ContractError);
}

TEST_CASE("exercise 2.1, a window that grows is never empty", "[02][solution]")
{
    const Sample sample = awkward_sample();
    const Vector queries = {-5, 0, 0.3, 2, 3.1, 25, 40, 1000};
    for (const Kernel& kernel : kernels()) {
        for (const std::size_t k : {1UL, 2UL, 5UL, 9UL}) {
            const Vector found = predict_with_k_in_window(queries, sample, kernel, k);
            for (const double prediction : found) {
                CAPTURE(kernel.name, k);
                CHECK(std::isfinite(prediction));
            }
        }
    }
    CHECK_THROWS_AS(predict_with_k_in_window(queries, sample, kernels()[0], 0), ContractError);
    CHECK_THROWS_AS(predict_with_k_in_window(queries, sample, kernels()[0], 10), ContractError);
}

TEST_CASE("exercise 2.1, with one key in the window it answers alone", "[02][solution]")
{
    const Vector keys = {0, 1, 3, 7};
    const Vector values = {5, 6, 7, 8};
    for (const char* name : {"epanechnikov", "triangular"}) {
        const Vector found =
            predict_with_k_in_window({-1, 0.9, 3.5, 90}, {keys, values}, kernel_named(name), 1);
        CHECK((found == Vector{5, 6, 7, 8}));
    }
    // With all keys in the window and a boxcar it is the mean.
    CHECK(predict_with_k_in_window({2}, {keys, values}, kernel_named("boxcar"), 4)(0) == 6.5);
    // On four equal keys as well.
    CHECK(predict_with_k_in_window({1}, {{1, 1, 1, 1}, values}, kernels()[2], 2)(0) == 6.5);
}

TEST_CASE("exercise 2.2, the sign of the estimate is that of Parzen's difference",
          "[02][solution]")
{
    const Vector keys = column_of(random_matrix(60, 1, 61), 0);
    const Vector classes = xt::where(keys * keys > 0.5, 1.0, -1.0);
    std::vector<std::size_t> plus;
    std::vector<std::size_t> minus;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        (classes(j) > 0 ? plus : minus).push_back(j);
    }
    const Vector plus_keys = xt::view(keys, xt::keep(plus));
    const Vector minus_keys = xt::view(keys, xt::keep(minus));
    const Vector queries = xt::linspace<double>(-2, 2, 41);
    for (const Kernel& kernel : kernels()) {
        const std::vector<int> signs = classify(queries, keys, classes, kernel, 0.4);
        const Vector difference =
            static_cast<double>(plus_keys.size()) * density(queries, plus_keys, kernel, 0.4) -
            static_cast<double>(minus_keys.size()) * density(queries, minus_keys, kernel, 0.4);
        for (std::size_t i = 0; i < queries.size(); ++i) {
            CAPTURE(kernel.name, queries(i), difference(i));
            if (std::abs(difference(i)) > 1e-9) {
                CHECK(signs[i] == (difference(i) > 0 ? 1 : -1));
            }
        }
    }
    CHECK(classify({50}, keys, classes, kernel_named("boxcar"), 1)[0] == 0);
    CHECK(classify({0}, {-1, 1}, {1, -1}, gaussian, 1)[0] == 0);
    CHECK_THROWS_AS(classify({0}, {-1, 1}, {1, 0}, kernels()[0], 1), ContractError);
}

TEST_CASE("exercise 2.2, a density integrates to 1", "[02][solution]")
{
    const Vector keys = {0, 0.2, 3};
    const Vector grid = xt::linspace<double>(-20, 20, 40001);
    for (const Kernel& kernel : kernels()) {
        if (kernel.name != "constant") {
            CAPTURE(kernel.name);
            const Vector estimate = density(grid, keys, kernel, 0.7);
            CHECK_THAT(xt::sum(estimate)() * 1e-3, WithinAbs(1, 1e-3));
        }
    }
}

TEST_CASE("exercise 2.3, the local line is exact on a line, up to its ends",
          "[02][solution][claim]")
{
    const Vector keys = {0, 0.5, 0.6, 1, 2, 2.2, 3};
    const Vector values = 4.0 - 3.0 * keys;
    const Vector queries = {0, 0.3, 1.5, 3};
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {1.2, 10.0}) {
            CAPTURE(kernel.name, bandwidth);
            const Vector line = local_line(queries, {keys, values}, kernel, bandwidth);
            check_close(as_column(line), as_column(4.0 - 3.0 * queries), 1e-9);

            // The local mean is pulled inwards at both ends: the boundary bias.
            const Prediction mean = predict(queries, {keys, values}, kernel, bandwidth);
            CHECK(mean.predictions(0) < 4 - 0.1);
            CHECK(mean.predictions(3) > -5 + 0.1);
        }
    }
}

TEST_CASE("exercise 2.3, where there is no line the mean answers", "[02][solution]")
{
    const Kernel& boxcar = kernel_named("boxcar");
    const Vector found = local_line({0, 5, 99}, {{0, 0, 5}, {1, 2, 7}}, boxcar, 1);
    CHECK(found(0) == 1.5);
    CHECK(found(1) == 7);
    CHECK(std::isnan(found(2)));
}

TEST_CASE("exercise 2.4, every row twice, and leaving one out memorises again",
          "[02][solution][claim]")
{
    const Sample sample = synthetic_sample(1, 0, 40);
    Sample doubled{Vector::from_shape({80}), Vector::from_shape({80})};
    for (std::size_t i = 0; i < 80; ++i) {
        doubled.keys(i) = sample.keys(i / 2);
        doubled.values(i) = sample.values(i / 2);
    }
    const Choice honest = choose_bandwidth(sample, gaussian);
    const Choice fooled = choose_bandwidth(doubled, gaussian);
    CHECK(fooled.error < 0.2 * honest.error);
    CHECK(fooled.bandwidth < 0.1 * honest.bandwidth);
    CHECK_THAT(fooled.error, WithinAbs(0, 1e-9));
    CHECK(fooled.at_narrow_end);

    // Where some keys were equal before, the scatter among them stays.
    const Sample real = old_faithful();
    Sample twice{Vector::from_shape({544}), Vector::from_shape({544})};
    for (std::size_t i = 0; i < 544; ++i) {
        twice.keys(i) = real.keys(i / 2);
        twice.values(i) = real.values(i / 2);
    }
    const Choice copied = choose_bandwidth(twice, gaussian);
    CHECK(copied.bandwidth < width_grid(twice.keys, 401)(0));
    CHECK(copied.error < leave_one_out_error(twice, gaussian, 1e-6) + 1e-9);
    CHECK(leave_one_out_error(twice, gaussian, 1e-6) > 5);
}

TEST_CASE("exercise 2.5, on a circle the Gaussian kernel is the dot product",
          "[02][solution][identity]")
{
    // Keys of length 1.7, queries of any length: the query's own length cancels.
    Matrix keys = random_matrix(9, 3, 71);
    const Matrix lengths = xt::sqrt(xt::sum(xt::square(keys), {1}, xt::keep_dims));
    keys *= 1.7 / lengths;
    const Matrix queries = random_matrix(5, 3, 72);
    for (const double h : {0.3, 1.0, 4.0}) {
        check_close(lookup::softmax(score(gaussian, h)(queries, keys)),
                    lookup::softmax(lookup::dot_product(queries, keys), h * h), 1e-12);
    }
}
