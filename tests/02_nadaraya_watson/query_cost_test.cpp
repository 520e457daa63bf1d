#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("the Gaussian estimate costs n (d + 2) + 1 multiplications and n exponentials",
          "[02][claim]")
{
    for (const std::size_t d : {1U, 3U, 20U}) {
        const Matrix keys = random_matrix(17, d, 91);
        const Vector values = column_of(random_matrix(17, 1, 92), 0);
        const Vector query = xt::ones<double>({d});
        const Cost cost = count_gaussian(query, keys, values, 0.7).cost;
        CHECK(cost.multiplications == 17 * (d + 2) + 1);
        CHECK(cost.exponentials == 17);
        CHECK(cost.kept == 17 * (d + 1) + 1);
        const Cost of_line = count_line(query, query, 2).cost;
        CHECK(of_line.multiplications == d);
        CHECK(of_line.exponentials == 0);
        CHECK(of_line.kept == d + 1);
    }
}

TEST_CASE("what is counted predicts what the chapter predicts", "[02][identity]")
{
    const Sample sample = sorted(old_faithful());
    const Kernel& parabola = kernel_named("epanechnikov");
    for (const double query : {1.7, 3.0, 4.5}) {
        CHECK_THAT(
            count_gaussian({query}, as_column(sample.keys), sample.values, 0.3).prediction,
            WithinRel(predict({query}, sample, gaussian, 0.3).predictions(0), 1e-11));
        const CountedPrediction windowed = count_epanechnikov(query, sample, 0.434);
        const Prediction wanted = predict({query}, sample, parabola, 0.434);
        CHECK_THAT(windowed.prediction, WithinRel(wanted.predictions(0), 1e-11));
        CHECK(windowed.cost.multiplications == 3 * wanted.keys_in_window[0] + 1);
    }
}

TEST_CASE("the line is that of least squares, and its error leaves each row out",
          "[02][oracle]")
{
    const Line exact = fit_line({{0, 1, 3}, {2, 5, 11}});
    CHECK_THAT(exact.slope, WithinRel(3, 1e-12));
    CHECK_THAT(exact.intercept, WithinRel(2, 1e-12));
    CHECK_THAT(leave_one_out_error_of_line({{0, 1, 3}, {2, 5, 11}}), WithinAbs(0, 1e-20));
    CHECK_THROWS_AS(fit_line({{1, 1}, {2, 3}}), ContractError);

    // The residuals of a least-squares line are orthogonal to 1 and to the keys.
    const Sample sample = golden_sample("cars");
    const Line line = fit_line(sample);
    const Vector residual = sample.values - line.intercept - line.slope * sample.keys;
    CHECK_THAT(xt::sum(residual)(), WithinAbs(0, 1e-9));
    CHECK_THAT(xt::sum(residual * sample.keys)(), WithinAbs(0, 1e-8));

    // R: lm(dist ~ speed) on cars is -17.5791 + 3.9324 speed.
    CHECK_THAT(line.slope, WithinAbs(3.9324, 5e-5));
    CHECK_THAT(line.intercept, WithinAbs(-17.5791, 5e-5));
}
