#include "chapters/02_nadaraya_watson/experiments/kernel_comparison.hpp"

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
            double sum = 0;
            for (int i = 0; i <= 50; ++i) {
                const double query = 0.1 * i;
                double answer = oracle(query, sample, kernel, bandwidth);
                answer = std::isnan(answer) ? mean : answer;
                sum += (answer - truth(query)) * (answer - truth(query));
            }
            CAPTURE(kernel.name, bandwidth);
            CHECK_THAT(error_against_truth(sample, kernel, bandwidth),
                       WithinRel(sum / 51, 1e-9));
        }
    }
    CHECK_THROWS_AS(error_against_truth(sample, kernels()[0], 0), ContractError);
}

// [claim_comparison]
TEST_CASE("the width matters, the kernel hardly, once the width is right", "[02][claim]")
{
    const std::vector<KernelResult> results = compare_kernels(1, 100, 2);
    REQUIRE(results.size() == 4);
    const KernelResult& of_gaussian = results[0];
    for (const KernelResult& result : results) {
        CAPTURE(result.name);
        REQUIRE(result.error.size() == 100);

        // In hindsight all kernels are within 10 % of the Gaussian.
        const double hindsight = xt::mean(result.smallest_error)();
        CHECK_THAT(hindsight / xt::mean(of_gaussian.smallest_error)(), WithinAbs(1, 0.1));

        // The width that leave-one-out finds costs far more than that.
        CHECK(xt::mean(result.error)() > 1.35 * hindsight);
        CHECK(standard_error_of(result.error) > 0.01);
        CHECK(standard_error_of(result.error) < 0.03);

        // It finds the Gaussian's best, by more than chance on the same draws.
        if (result.name != "gaussian") {
            const Vector excess = result.error - of_gaussian.error;
            CHECK_THAT(xt::mean(excess)(), WithinAbs(0.045, 0.01));
            CHECK(xt::mean(excess)() > 2 * standard_error_of(excess));
        }
    }
}
// [claim_comparison]

TEST_CASE("with other seeds and 20 draws the Gaussian is ahead by 0.01 to 0.11", "[02][claim]")
{
    double least = 1;
    double most = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        const std::vector<KernelResult> results = compare_kernels(seed, 20, 2);
        for (std::size_t i = 1; i < results.size(); ++i) {
            const double excess = xt::mean(results[i].error)() - xt::mean(results[0].error)();
            least = std::min(least, excess);
            most = std::max(most, excess);
        }
    }
    CHECK_THAT(least, WithinAbs(0.01, 0.005));
    CHECK_THAT(most, WithinAbs(0.11, 0.005));
}

TEST_CASE("the comparison does not depend on the number of threads", "[02][property]")
{
    const std::vector<KernelResult> one = compare_kernels(1, 5, 1);
    const std::vector<KernelResult> three = compare_kernels(1, 5, 3);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK((one[i].error == three[i].error));
        CHECK((one[i].bandwidth == three[i].bandwidth));
        CHECK((one[i].smallest_error == three[i].smallest_error));
    }
    CHECK_THROWS_AS(compare_kernels(1, 1, 1), ContractError);
}

TEST_CASE("the standard error of known numbers", "[02]")
{
    const Vector numbers = {1, 2, 3, 6};
    // squared deviations 4 + 1 + 0 + 9 = 14, variance 14 / 3, of the mean 14 / 12
    CHECK_THAT(standard_error_of(numbers), WithinAbs(std::sqrt(14.0 / 12), 1e-14));
}

TEST_CASE("the widest gap is found whatever the order of the keys", "[02]")
{
    const Gap gap = widest_gap({5, 1, 2, 9, 4.5});
    CHECK(gap.below == 5);
    CHECK(gap.above == 9);
    CHECK(widest_gap({7, 7}).above == 7);
    CHECK_THROWS_AS(widest_gap({1}), ContractError);
}

TEST_CASE("on Old Faithful the best and the worst kernel differ by less than one per cent",
          "[02][claim]")
{
    const Sample sample = old_faithful();
    double lowest = 1e9;
    double highest = 0;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name != "constant") {
            const double error = choose_bandwidth(sample, kernel).error;
            lowest = std::min(lowest, error);
            highest = std::max(highest, error);
        }
    }
    CHECK(highest / lowest < 1.01);
    const double baseline = leave_one_out_error(sample, kernel_named("constant"), 1);
    CHECK(highest < 0.18 * baseline);
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
    CHECK_THAT(fooled.bandwidth, WithinRel(width_grid(doubled.keys, 401)(0), 1e-12));
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
