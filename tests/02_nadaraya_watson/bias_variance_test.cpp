#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/exercises/solutions.hpp"
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Estimator mean_around(double width)
{
    return [width](const Vector& queries, const Sample& sample) {
        return predict(queries, sample, gaussian, width).predictions;
    };
}

} // namespace

TEST_CASE("squared bias and variance are the mean squared error", "[02][identity]")
{
    const Vector queries = {0, 1.3, 4.9};
    const BiasAndVariance found = bias_and_variance(5, 7, 2, queries, mean_around(0.4));
    for (std::size_t i = 0; i < queries.size(); ++i) {
        double error = 0;
        for (std::uint64_t draw = 0; draw < 7; ++draw) {
            const double estimate =
                oracle(queries(i), synthetic_sample(5, draw, 40), gaussian, 0.4);
            error += (estimate - truth(queries(i))) * (estimate - truth(queries(i))) / 7;
        }
        CHECK_THAT(found.bias(i) * found.bias(i) + found.variance(i), WithinRel(error, 1e-10));
    }
    CHECK_THROWS_AS(bias_and_variance(5, 0, 1, queries, mean_around(0.4)), ContractError);
}

TEST_CASE("an estimator that knows the truth has neither, a constant one no variance",
          "[02][property]")
{
    const Vector queries = {0, 2, 4};
    const BiasAndVariance perfect =
        bias_and_variance(1, 5, 1, queries, [](const Vector& asked, const Sample&) {
            Vector answers = asked;
            for (double& answer : answers) {
                answer = truth(answer);
            }
            return answers;
        });
    const BiasAndVariance constant =
        bias_and_variance(1, 5, 1, queries, [](const Vector& asked, const Sample&) {
            return Vector(xt::ones_like(asked));
        });
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_THAT(perfect.bias(i), WithinAbs(0, 1e-14));
        CHECK_THAT(perfect.variance(i), WithinAbs(0, 1e-14));
        CHECK_THAT(constant.bias(i), WithinAbs(1 - truth(queries(i)), 1e-14));
        CHECK_THAT(constant.variance(i), WithinAbs(0, 1e-14));
    }
}

TEST_CASE("at the end of the data the mean is pulled inwards, and the line hardly",
          "[02][claim]")
{
    const Vector queries = {0, 2.5, 5};
    const BiasAndVariance mean = bias_and_variance(1, 400, 2, queries, mean_around(0.5));
    const BiasAndVariance line =
        bias_and_variance(1, 400, 2, queries, [](const Vector& asked, const Sample& sample) {
            return solutions::local_line(asked, sample, gaussian, 0.5);
        });
    CHECK_THAT(mean.bias(0), WithinAbs(1.17, 0.005));
    CHECK_THAT(line.bias(0), WithinAbs(0.07, 0.005));
    CHECK_THAT(std::sqrt(mean.variance(0)), WithinAbs(0.51, 0.005));
    CHECK_THAT(std::sqrt(line.variance(0)), WithinAbs(0.78, 0.005));
    CHECK(mean.bias(2) < -0.3); // the curve rises there too: too low
    CHECK(std::abs(mean.bias(1)) < 0.3);

    // To first order, slope times width at the end, where half a Gaussian has its mean at
    // sqrt(2 / pi) widths; the slope of 2 sin x + x is 3 at 0.
    CHECK_THAT(mean.bias(0), WithinRel(3 * 0.5 * std::sqrt(2 / 3.14159265358979), 0.05));
}
