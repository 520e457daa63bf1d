#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::nadaraya_watson;
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
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
        const double noise = sample.values(i) - (2 * std::sin(sample.keys(i)) + sample.keys(i));
        sum += noise;
        squares += noise * noise;
    }
    CHECK_THAT(sum / 4000, WithinAbs(0, 0.06));    // four standard errors
    CHECK_THAT(squares / 4000, WithinAbs(1, 0.1)); // four standard errors
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
    const KernelResult& gaussian = results[0];
    for (const KernelResult& result : results) {
        CAPTURE(result.name);
        REQUIRE(result.error.size() == 100);

        // In hindsight all kernels are within 10 % of the Gaussian.
        const double hindsight = mean_of(result.smallest_error);
        CHECK_THAT(hindsight / mean_of(gaussian.smallest_error), WithinAbs(1, 0.1));

        // The width that leave-one-out finds costs far more than that.
        CHECK(mean_of(result.error) > 1.35 * hindsight);
        CHECK(standard_error_of(result.error) > 0.01);
        CHECK(standard_error_of(result.error) < 0.03);

        // It finds the Gaussian's best, by more than chance on the same draws.
        if (result.name != "gaussian") {
            const Vector excess = result.error - gaussian.error;
            CHECK_THAT(mean_of(excess), WithinAbs(0.045, 0.01));
            CHECK(mean_of(excess) > 2 * standard_error_of(excess));
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
            const double excess = mean_of(results[i].error) - mean_of(results[0].error);
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

TEST_CASE("mean and standard error", "[02]")
{
    const Vector numbers = {1, 2, 3, 6};
    CHECK(mean_of(numbers) == 3);
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
            const double error = choose_bandwidth(sample.keys, sample.values, kernel).error;
            lowest = std::min(lowest, error);
            highest = std::max(highest, error);
        }
    }
    CHECK(highest / lowest < 1.01);
    const double baseline =
        leave_one_out_error(sample.keys, sample.values, kernel_named("constant"), 1);
    CHECK(highest < 0.18 * baseline);
}
