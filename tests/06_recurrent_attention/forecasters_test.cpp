/// \file
/// \brief Networks that forecast: shapes, no leakage, the committed losses again.
#include "chapters/06_recurrent_attention/forecasters.hpp"

#include "chapters/06_recurrent_attention/contest.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/nn/initialise.hpp"
#include "tests/support/committed_losses.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// A short switched series.
Series short_series()
{
    return draw_series(Lags::switched, 220, 4);
}

Contest short_contest(const Series& series)
{
    Contest contest{split_in_time(series, {16, 2, 40, 60}), {2}};
    contest.n_steps = 100;
    return contest;
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
    const auto entries = hold_contests({before, short_contest(altered)}, {1}, 1);
    REQUIRE(entries[0].size() == 7);
    for (std::size_t model = 0; model < entries[0].size(); ++model) {
        CAPTURE(entries[0][model].name);
        for (std::size_t i = 0; i < before.problem.test.last.size(); ++i) {
            const bool sees = before.problem.test.last[i] >= first_altered;
            for (std::size_t h = 0; h < 2; ++h) {
                if (!sees) { // to the last bit, although their answers were altered as well
                    CHECK(entries[0][model].forecasts[0](i, h) ==
                          entries[1][model].forecasts[0](i, h));
                }
            }
        }
    }
    const Entry& one = entry_of(entries[0], "persistence");
    CHECK(one.forecasts[0](50, 0) != entries[1][0].forecasts[0](50, 0)); // the test can see
}
// [claim_leak]

TEST_CASE("a contest does not depend on the number of threads", "[06][train]")
{
    Contest contest = short_contest(short_series());
    contest.n_steps = 50;
    const auto one = hold_contests({contest}, {1, 2}, 1);
    const auto two = hold_contests({contest}, {1, 2}, 2);
    for (std::size_t model = 0; model < one[0].size(); ++model) {
        for (std::size_t seed = 0; seed < one[0][model].forecasts.size(); ++seed) {
            CHECK((one[0][model].forecasts[seed] == two[0][model].forecasts[seed]));
        }
    }
    const Entry& lstm = entry_of(one[0], "LSTM");
    CHECK(lstm.forecasts.size() == 2);
    CHECK((lstm.forecasts[0] != lstm.forecasts[1]));
    CHECK(lstm.next[0].shape(1) == 2);
    CHECK_THROWS_AS(entry_of(one[0], "oracle"), ContractError);
}

TEST_CASE("the parameters kept are those that were best on the rows to choose by",
          "[06][train]")
{
    const Problem problem = split_in_time(short_series(), {16, 1, 40, 60});
    ForecastTraining training{make_attention_only<float>};
    training.n_steps = 600; // far too many for so few windows
    const TrainedForecaster trained = train_forecaster(problem, training, 1);
    REQUIRE(trained.validation.size() == 12);
    const Matrix forecast = trained.predict(problem.validation.inputs);
    Matrix truth = forecast;
    std::copy(problem.validation.targets.data(),
              problem.validation.targets.data() + truth.size(), truth.data());
    CHECK_THAT(rmse(forecast, truth, 0), WithinAbs(*std::min_element(trained.validation.begin(),
                                                                     trained.validation.end()),
                                                   1e-5));
}

TEST_CASE("the committed losses of the forecasters come again", "[06][train]")
{
    const program::NumericTable table = committed_table("trained_forecast_losses.csv");
    const Problem problem =
        split_in_time(draw_series(Lags::switched, 3000, 1), {16, 1, 400, 600});
    ForecastTraining training{make_attention_only<float>};
    training.n_steps = 100;
    const TrainedForecaster attention = train_forecaster(problem, training, 1);
    training.make = make_lstm<float>;
    const TrainedForecaster lstm = train_forecaster(problem, training, 1);
    check_first_losses(attention.losses, table.column("attention"));
    check_first_losses(lstm.losses, table.column("lstm"));
}

TEST_CASE("one seed of attention alone, trained again, finds the lags", "[06][train]")
{
    const Problem problem =
        split_in_time(draw_series(Lags::switched, 3000, 2), {16, 1, 400, 600});
    const TrainedForecaster trained =
        train_forecaster(problem, {make_attention_only<float>}, 2);
    const Matrix forecast = in_own_units(problem, trained.predict(problem.test.inputs));
    CHECK(rmse(forecast, truth_of(problem, problem.test), 0) <= 0.34);
    std::vector<bool> on;
    for (const std::size_t row : problem.test.last) {
        on.push_back(problem.series.values(row, 2) > 0.5);
    }
    CHECK(mean_weight_by_lag(trained.weights[0], on)(2) >= 0.9);
    on.flip();
    CHECK(mean_weight_by_lag(trained.weights[0], on)(11) >= 0.9);
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
