/// \file
/// \brief Networks that forecast: shapes, gradients, no leakage, which parameters are kept.
#include "chapters/06_recurrent_attention/experiments/contest.hpp"
#include "chapters/06_recurrent_attention/experiments/lstm_forecasters.hpp"
#include "chapters/06_recurrent_attention/experiments/series_data.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/nn/initialise.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>

using namespace attn;
using namespace attn::recurrent_attention;
using Catch::Matchers::WithinAbs;

namespace {

/// A short switched series.
Series short_series()
{
    return draw_series(Lags::switched, 220, 4);
}

Contest short_contest(const Series& series)
{
    return {split_in_time(series, {16, 2, 40, 60}), {2}, 100};
}

/// Without threads.
void one_by_one(std::size_t n, const std::function<void(std::size_t)>& work)
{
    for (std::size_t i = 0; i < n; ++i) {
        work(i);
    }
}

} // namespace

TEST_CASE("forecasts and weights have their shapes, and weights sum to 1", "[06]")
{
    random::Generator generator(1);
    const ForecasterSizes sizes{6, 3, 2, 4, 2};
    const Variable<double> windows(
        nn::initialise::normal<double>({5, 6, 3}, 0.0, 1.0, generator));
    const auto check = [&](const Forecaster<double>& network, std::size_t n_lookups) {
        const Forecast<double> forecast = network.read(windows);
        CHECK(forecast.values.shape() == Shape{5, 2});
        REQUIRE(forecast.weights.size() == n_lookups);
        for (const Variable<double>& weights : forecast.weights) {
            REQUIRE(weights.shape() == Shape{5, 6});
            double sum = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                sum += weights.value().data()[j];
            }
            CHECK_THAT(sum, WithinAbs(1, 1e-12));
        }
        const auto gradient = autograd::check_gradient(
            [&](const std::vector<Variable<double>>& in) { return network.read(in[0]).values; },
            {windows.value()});
        INFO(gradient.first_mismatch);
        CHECK(gradient.passed);
    };
    check(make_lstm<double>(sizes, generator), 0);
    check(make_lstm_attention<double>(sizes, generator), 1);
    check(make_attention_only<double>(sizes, generator), 2);
}

// [claim_leak]
TEST_CASE("the future altered leaves the forecasts of the past unchanged", "[06][claim][train]")
{
    const std::size_t first_altered =
        GENERATE(std::size_t{160}, std::size_t{190}); // rows 160 to 219 are tested on
    const Series series = short_series();
    Series altered = series;
    for (std::size_t row = first_altered; row < 220; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            altered.values(row, column) = 50 - series.values(row, column);
        }
    }
    const Contest before = short_contest(series);
    const auto entries = hold_contests({before, short_contest(altered)}, {1}, one_by_one);
    REQUIRE(entries[0].size() == 7);
    for (std::size_t model = 0; model < entries[0].size(); ++model) {
        CAPTURE(entries[0][model].name);
        for (std::size_t i = 0; i < before.problem.test.last.size(); ++i) {
            const bool altered_window = before.problem.test.last[i] >= first_altered;
            for (std::size_t h = 0; h < 2; ++h) {
                if (!altered_window) { // to the last bit, although their answers were altered as well
                    CHECK(entries[0][model].forecasts[0](i, h) ==
                          entries[1][model].forecasts[0](i, h));
                }
            }
        }
    }
    const Entry& one = entry_of(entries[0], "persistence");
    CHECK(one.forecasts[0](50, 0) != entries[1][0].forecasts[0](50, 0)); // the test can see
    CHECK_THROWS_AS(entry_of(entries[0], "oracle"), ContractError);
}
// [claim_leak]

TEST_CASE("the parameters kept are those that were best on the rows to choose by", "[06]")
{
    const Problem problem = split_in_time(short_series(), {16, 1, 40, 60});
    ForecastTraining training{make_attention_only<float>};
    training.n_steps = 600; // far too many for so few windows
    const TrainedForecaster trained = train_forecaster(problem, training, 1);
    REQUIRE(trained.validation.size() == 12);
    const Matrix forecast = predictor_of(trained.network)(problem.validation.inputs);
    const Matrix truth = as_matrix(problem.validation.targets);
    CHECK_THAT(rmse(forecast, truth, 0), WithinAbs(*std::min_element(trained.validation.begin(),
                                                                     trained.validation.end()),
                                                   1e-5));
}

TEST_CASE("mean weights by lag count from the last row", "[06][oracle]")
{
    const Matrix weights = {{0.1, 0.2, 0.7}, {0.5, 0.5, 0}, {0, 0, 1}};
    const Vector mean = mean_weight_by_lag(weights, {true, true, false});
    CHECK_THAT(mean(0), WithinAbs(0.35, 1e-12));
    CHECK_THAT(mean(2), WithinAbs(0.3, 1e-12));
    CHECK(mean_weight_by_lag(weights, {false, false, false})(0) == 0);
    CHECK_THROWS_AS(mean_weight_by_lag(weights, {true}), ContractError);
}
