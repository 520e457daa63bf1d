/// \file
/// \brief Series and their split in time, rules and regressions, and networks that forecast: shapes,
/// gradients, no leakage, which parameters are kept.
#include "chapters/06_recurrent_attention/experiments/experiments.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

/// A short switched series.
Series short_series()
{
    return draw_series(Lags::switched, 220, 4);
}

/// Rows 0, 1, 2, ..., beside them 100 less each, and something that varies.
Series counting(std::size_t n_rows)
{
    Series series{"counting", {"up", "down"}, Matrix::from_shape({n_rows, 2}), 0};
    for (std::size_t row = 0; row < n_rows; ++row) {
        series.values(row, 0) = static_cast<double>(row);
        series.values(row, 1) = 100 - static_cast<double>(row);
    }
    return series;
}

/// The number that a window shows, in its own unit.
double shown(const Problem& problem, const Array<float>& inputs, std::size_t i, std::size_t row,
             std::size_t column)
{
    const std::size_t n_columns = problem.series.columns.size();
    const auto scaled = static_cast<double>(
        inputs.data()[(i * problem.plan.window + row) * n_columns + column]);
    return scaled * problem.scaling.deviation(column) + problem.scaling.mean(column);
}

} // namespace

TEST_CASE("forecasts and weights have their shapes, and weights sum to 1", "[06]")
{
    random::Generator generator(1);
    const ForecasterSizes sizes{6, 3, 2, 4, 2};
    const Variable<double> windows(
        nn::initialise::normal<double>({5, 6, 3}, 0.0, 1.0, generator));
    const auto check = [&](const Forecaster<double>& network, std::size_t n_lookups) {
        const Forecast<double> forecast = network.forward(windows);
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
            [&](const std::vector<Variable<double>>& in) {
                return network.forward(in[0]).values;
            },
            {windows.value()});
        INFO(gradient.first_mismatch);
        CHECK(gradient.passed);
    };
    check(make_lstm<double>(sizes, generator), 0);
    check(make_lstm_attention<double>(sizes, generator), 1);
    check(make_attention_only<double>(sizes, generator), 2);
    check(make_dense<double>(sizes, generator), 0);
}

// [claim_leak]
TEST_CASE("the future altered leaves the forecasts of the past unchanged", "[06][claim]")
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
    const auto comparison = [](const Series& whole) {
        return Comparison{split_in_time(whole, {16, 2, 40, 60}), {2}};
    };
    const Comparison before = comparison(series);
    program::CommonOptions options;
    options.quick = true; // networks learn for 50 steps
    program::Terminal terminal;
    program::OutputFolder files("");
    const auto models =
        compare_models({options, terminal, files}, "", {before, comparison(altered)});
    REQUIRE(models[0].size() == 8);
    for (std::size_t model = 0; model < models[0].size(); ++model) {
        CAPTURE(models[0][model].name);
        for (std::size_t i = 0; before.problem.test.last[i] < first_altered; ++i) {
            for (std::size_t h = 0; h < 2;
                 ++h) { // to the last bit, although answers were altered
                CHECK(models[0][model].forecasts[0](i, h) ==
                      models[1][model].forecasts[0](i, h));
            }
        }
    }
    const ComparedModel& one = model_named(models[0], "persistence");
    CHECK(one.forecasts[0](50, 0) != models[1][0].forecasts[0](50, 0)); // the test can see
    CHECK_THROWS_AS(model_named(models[0], "oracle"), ContractError);
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

// ---------------------------------------------------------------- series

TEST_CASE("a window belongs where all its targets lie", "[06]")
{
    const Problem problem = split_in_time(counting(60), {4, 3, 10, 12});
    CHECK(problem.train.last.front() == 3);
    CHECK(problem.train.last.back() == 34); // answers 35, 36, 37; row 38 is kept back
    CHECK(problem.validation.last.front() == 37);
    CHECK(problem.validation.last.back() == 44); // answers to 47
    CHECK(problem.test.last.front() == 47);
    CHECK(problem.test.last.back() == 56); // answers to 59, the last row
    CHECK_THAT(shown(problem, problem.test.inputs, 0, 0, 0), WithinAbs(44, 1e-4));
    CHECK_THAT(shown(problem, problem.test.inputs, 0, 3, 1), WithinAbs(53, 1e-4));
    CHECK_THAT(shown(problem, problem.next, 0, 3, 0), WithinAbs(59, 1e-4));
    const Matrix truth = truth_of(problem, problem.test);
    CHECK(truth(0, 0) == 48);
    CHECK(truth(9, 2) == 59);
    CHECK(rmse(in_own_units(problem, as_matrix(problem.test.targets)), truth, 2) < 1e-4);
}

TEST_CASE("units come from the rows to learn from alone", "[06]")
{
    Series series = counting(60);
    const Problem before = split_in_time(series, {4, 3, 10, 12});
    for (std::size_t row = 38; row < 60; ++row) {
        series.values(row, 0) = 1e6;
    }
    const Problem after = split_in_time(series, {4, 3, 10, 12});
    CHECK((before.scaling.mean == after.scaling.mean));
    CHECK((before.scaling.deviation == after.scaling.deviation));
    CHECK((before.train.inputs == after.train.inputs));
    CHECK((before.train.targets == after.train.targets));
    CHECK_THAT(before.scaling.mean(0), WithinAbs(18.5, 1e-9)); // of 0, 1, ..., 37
    CHECK_THAT(before.scaling.deviation(0), WithinAbs(std::sqrt((38 * 38 - 1) / 12.0), 1e-9));
}

TEST_CASE("what cannot be split is refused in a sentence", "[06][bad_input]")
{
    CHECK_THROWS_AS(split_in_time(counting(30), {24, 1, 5, 5}), program::BadInput);
    CHECK_THROWS_WITH(split_in_time(counting(30), {24, 1, 5, 5}),
                      contains("30 rows are too few"));
    CHECK_THROWS_AS(split_in_time(counting(90), {4, 6, 5, 20}), program::BadInput);
    CHECK_THROWS_AS(split_in_time(counting(90), {4, 1, 5, 20, 5}), ContractError);
    Series series = counting(60);
    for (std::size_t row = 0; row < 40; ++row) {
        series.values(row, 1) = 7;
    }
    CHECK_THROWS_WITH(split_in_time(series, {4, 1, 10, 10}),
                      contains("column 'down'") && contains("does not vary"));
}

// [claim_law]
TEST_CASE("a law that comes later does not vary before", "[06][claim]")
{
    const Series series = series_of(seatbelts_table(), "drivers");
    CHECK_THROWS_WITH(split_in_time(series, {24, 1, 24, 36, 12}), contains("column 'law'"));
    CHECK_THROWS_AS(series_of(seatbelts_table(), "rain"), program::BadInput);
}
// [claim_law]

TEST_CASE("constructed series are what they say", "[06]")
{
    const Series fixed = draw_series(Lags::fixed, 4000, 1);
    const Series switched = draw_series(Lags::switched, 4000, 1);
    double fixed_squares = 0;
    double switched_squares = 0;
    double ones = 0;
    for (std::size_t t = 12; t < 4000; ++t) {
        const double a =
            fixed.values(t, 2) - 0.8 * fixed.values(t - 3, 0) + 0.6 * fixed.values(t - 12, 1);
        const bool on = switched.values(t - 1, 2) > 0.5;
        const double b = switched.values(t, 3) - 0.9 * switched.values(t - (on ? 3 : 12), 0);
        fixed_squares += a * a / 3988;
        switched_squares += b * b / 3988;
        ones += on ? 1.0 / 3988 : 0;
    }
    CHECK_THAT(std::sqrt(fixed_squares), WithinAbs(series_noise, 0.01));
    CHECK_THAT(std::sqrt(switched_squares), WithinAbs(series_noise, 0.01));
    CHECK_THAT(ones, WithinAbs(0.5, 0.03));
    CHECK((draw_series(Lags::fixed, 50, 1).values == draw_series(Lags::fixed, 50, 1).values));
    CHECK(fixed.values(0, 0) != switched.values(0, 0)); // each has a stream of its own
}

TEST_CASE("changes are differences of rows", "[06][oracle]")
{
    const Series changes = changes_of(counting(5));
    CHECK(changes.values.shape(0) == 4);
    CHECK(changes.values(3, 0) == 1);
    CHECK(changes.values(0, 1) == -1);
    CHECK_THROWS_AS(changes_of(counting(1)), program::BadInput);
}

TEST_CASE("measured series have the sizes that the page names", "[06]")
{
    const std::vector<RealSeries> all = real_series();
    REQUIRE(all.size() == 5);
    CHECK(all[0].series.values.shape(0) == 289);
    CHECK_THAT(all[0].series.values(0, 0), WithinAbs(std::sqrt(6.0), 1e-12));
    CHECK_THAT(all[1].series.values(0, 0), WithinAbs(-0.6, 1e-9)); // 199.5 - 200.1
    CHECK(all[2].series.values.shape(0) == 72);
    CHECK(all[3].series.columns.size() == 3);
    CHECK(all[4].series.values.shape(0) == 1859);
}

// ---------------------------------------------------------------- rules

TEST_CASE("persistence, season and mean", "[06][oracle]")
{
    const Problem problem = split_in_time(counting(60), {5, 4, 10, 12, 3});
    const Matrix last = in_own_units(problem, persistence(problem)(problem.next));
    const Matrix season = in_own_units(problem, seasonal_naive(problem)(problem.next));
    const Matrix mean = in_own_units(problem, mean_rule(problem)(problem.next));
    for (std::size_t h = 0; h < 4; ++h) {
        CHECK_THAT(last(0, h), WithinAbs(59, 1e-4));
        CHECK_THAT(mean(0, h), WithinAbs(18.5, 1e-9));
    }
    CHECK_THAT(season(0, 0), WithinAbs(57, 1e-4)); // three rows before row 60
    CHECK_THAT(season(0, 2), WithinAbs(59, 1e-4));
    CHECK_THAT(season(0, 3), WithinAbs(57, 1e-4)); // row 63, two seasons before
    CHECK_THROWS_AS(seasonal_naive(split_in_time(counting(60), {5, 4, 10, 12})), ContractError);
}

TEST_CASE("ridge regression with a pencil", "[06][oracle]")
{
    // Centred: x = -1, 0, 1 and y = -2, 0, 2; b = 4 / (2 + lambda).
    const LinearMap map = ridge({{1}, {2}, {3}}, {{5}, {7}, {9}}, 2);
    CHECK_THAT(map.coefficients(0, 0), WithinAbs(1, 1e-12));
    CHECK_THAT(map.intercept(0), WithinAbs(7 - 2 * 1, 1e-12));
    const LinearMap least = ridge({{1}, {2}, {3}}, {{5}, {7}, {9}}, 1e-9);
    CHECK_THAT(least.coefficients(0, 0), WithinAbs(2, 1e-8));
    CHECK_THROWS_AS(ridge({{1}, {2}}, {{1}}, 1), ContractError);
    CHECK_THROWS_AS(ridge({{1}}, {{1}}, 0), ContractError);
}

TEST_CASE("features are the window and its products with the last row", "[06]")
{
    const Array<float> windows = array_of<float>({1, 2, 2}, {1, 2, 3, 4});
    CHECK((features_of(windows, {}) == Matrix{{1, 2, 3, 4}}));
    CHECK((features_of(windows, {1}) == Matrix{{1, 2, 3, 4, 4, 8, 12, 16}}));
    CHECK_THROWS_AS(features_of(windows, {2}), ContractError);
}

TEST_CASE("ridge regression goes on counting", "[06]")
{
    const Problem problem = split_in_time(counting(90), {4, 2, 10, 20});
    const Matrix next = in_own_units(problem, ridge_forecast(problem)(problem.next));
    CHECK_THAT(next(0, 0), WithinAbs(90, 0.05));
    CHECK_THAT(next(0, 1), WithinAbs(91, 0.05));
}

TEST_CASE("recursive forecasts put their answers into the window", "[06][oracle]")
{
    const Predictor sum_of_two = [](const Array<float>& windows) -> Matrix {
        const float* const row = windows.data();
        return {{static_cast<double>(row[0] + row[1])}};
    };
    const Array<float> window = array_of<float>({1, 2, 1}, {1, 1});
    CHECK((recursive_forecast(sum_of_two, window, 5) == Matrix{{2, 3, 5, 8, 13}}));
    CHECK_THROWS_AS(recursive_forecast(sum_of_two, array_of<float>({1, 1, 2}, {1, 1}), 2),
                    ContractError);
}

TEST_CASE("the root mean squared error of one horizon", "[06][oracle]")
{
    CHECK_THAT(rmse({{1, 5}, {1, 5}}, {{4, 5}, {5, 6}}, 0), WithinAbs(std::sqrt(12.5), 1e-12));
    CHECK_THAT(rmse({{1, 5}, {1, 5}}, {{4, 5}, {5, 6}}, 1), WithinAbs(std::sqrt(0.5), 1e-12));
    CHECK_THROWS_AS(rmse({{1}}, {{1, 2}}, 0), ContractError);
    CHECK_THROWS_AS(rmse({{1}}, {{1}}, 1), ContractError);
}

// ---------------------------------------------------------------- experiments

TEST_CASE("origins roll: blocks follow each other, and nobody sees a later one", "[06]")
{
    const std::vector<Problem> problems = rolling_origins(counting(100), {4, 1, 10, 12}, 3);
    REQUIRE(problems.size() == 3);
    for (std::size_t block = 0; block < 3; ++block) {
        const Problem& problem = problems[block];
        CHECK(problem.series.values.shape(0) == 76 + 12 * block);
        CHECK(problem.test.last.front() + 1 == 64 + 12 * block); // the first row forecast
        CHECK(problem.test.last.size() == 12);
        CHECK(problem.train.last.back() + 1 == 53 + 12 * block); // then ten to choose by
    }
    CHECK_THROWS_AS(rolling_origins(counting(60), {4, 1, 10, 12}, 4), program::BadInput);
    CHECK_THROWS_AS(rolling_origins(counting(60), {4, 1, 10, 12}, 6), ContractError);
}

TEST_CASE("one number of each window is replaced by the mean", "[06][oracle]")
{
    const Array<float> windows = array_of<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    CHECK((without_rows(windows, {1, 2}, 0) ==
           array_of<float>({2, 2, 2}, {1, 2, 0, 4, 0, 6, 7, 8})));
    CHECK_THROWS_AS(without_rows(windows, {1}, 0), ContractError);
    CHECK_THROWS_AS(without_rows(windows, {1, 3}, 0), ContractError);
    CHECK_THROWS_AS(without_rows(windows, {0, 1}, 0), ContractError);
    CHECK_THROWS_AS(without_rows(windows, {1, 1}, 2), ContractError);
}

TEST_CASE("one horizon of many: the same windows, one target", "[06]")
{
    const Problem all = split_in_time(counting(60), {4, 3, 10, 12});
    const Problem third = only_horizon(all, 2);
    CHECK((third.train.inputs == all.train.inputs));
    REQUIRE(third.train.targets.shape() == Shape{all.train.last.size(), 1});
    for (std::size_t i = 0; i < all.train.last.size(); ++i) {
        CHECK(third.train.targets.data()[i] == all.train.targets.data()[i * 3 + 2]);
    }
    CHECK(third.validation.targets.shape() == Shape{all.validation.last.size(), 1});
    CHECK(third.plan.n_horizons == 1);
    CHECK_THROWS_AS(only_horizon(all, 3), ContractError);
}
