/// \file
/// \brief Associative recall, and what the page says of it and of forecasts: over three seeds as
/// committed, and trained once more.
#include "chapters/06_recurrent_attention/experiments/associative_recall.hpp"
#include "chapters/06_recurrent_attention/experiments/forecast_comparison.hpp"
#include "chapters/06_recurrent_attention/experiments/series_data.hpp"
#include "common/tasks/recall.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

enum class RecallRow
{
    rnn,
    gru,
    lstm,
    mean,
    root,
    sum,
    additive,
    asked_once,
    mean_longer
};

/// A column of a committed table for one row of the program's, a number a seed, sorted.
std::vector<double> of_row(const std::string& file, int row, const std::string& column)
{
    const std::vector<double> numbers =
        testing::numbers_where(committed_table(file), column, {{"row", row}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

enum class ForecastRow
{
    persistence,
    unchanged,
    seasonal,
    mean,
    ridge,
    products,
    lstm,
    lstm_attention,
    attention_only
};

/// The errors of a model in a comparison, sorted, one or three.
std::vector<double> errors(const std::string& file, int series, ForecastRow model)
{
    return testing::numbers_where(committed_table(file), "rmse",
                                  {{"contest", series}, {"model", static_cast<double>(model)}});
}

double median(const std::vector<double>& sorted)
{
    return sorted.at(sorted.size() / 2);
}

} // namespace

TEST_CASE("an example shows distinct keys, then one of them", "[06]")
{
    random::Generator generator(1);
    const tasks::RecallTask task;
    const tasks::RecallBatch batch = tasks::draw_recall(task, 200, generator);
    REQUIRE(batch.inputs.shape() == Shape{200, 8, 16});
    for (std::size_t i = 0; i < 200; ++i) {
        const float* const rows = batch.inputs.data() + i * 8 * 16;
        for (std::size_t symbol = 0; symbol < 8; ++symbol) {
            float shown = 0;
            for (std::size_t pair = 0; pair < 6; ++pair) {
                shown += rows[pair * 16 + symbol];
            }
            CHECK(shown <= 1);
            for (const std::size_t step : {6U, 7U}) {
                CHECK(rows[step * 16 + symbol] == rows[batch.pairs[i] * 16 + symbol]);
                CHECK(rows[step * 16 + 8 + symbol] == 0);
            }
        }
        CHECK(rows[batch.pairs[i] * 16 + 8 + static_cast<std::size_t>(batch.answers[i])] == 1);
    }
    CHECK_THROWS_AS(tasks::draw_recall({9, 8, 2}, 1, generator), ContractError);
    CHECK_THROWS_AS(tasks::draw_recall({6, 8, 0}, 1, generator), ContractError);
}

TEST_CASE("the most frequent value, with a pencil", "[06][oracle]")
{
    random::Generator generator(1);
    const tasks::RecallTask task{2, 2, 1};
    tasks::RecallBatch batch = tasks::draw_recall(task, 1, generator);
    float* const rows = batch.inputs.data();
    std::fill_n(rows, batch.inputs.size(), 0.0F);
    rows[2] = rows[4 + 2] = 1; // both pairs have value 0
    batch.answers = {0};
    CHECK(tasks::most_frequent_value(task, batch) == 1);
    rows[4 + 2] = 0;
    rows[4 + 3] = 1; // one each
    CHECK(tasks::most_frequent_value(task, batch) == 0.5);
    batch.answers = {1};
    rows[4 + 3] = 0;
    rows[4 + 2] = 1;
    CHECK(tasks::most_frequent_value(task, batch) == 0);
}

// [claim_recall]
TEST_CASE("attention with the sum recalls, and no plain network does", "[06][claim]")
{
    using enum RecallRow;
    const auto column = [](const char* name) {
        return [name](RecallRow row) {
            return of_row("trained_recall.csv", static_cast<int>(row), name);
        };
    };
    const auto accuracy = column("accuracy");
    for (const RecallRow row : {rnn, gru, lstm, mean, asked_once}) {
        CAPTURE(row);
        CHECK(accuracy(row).back() <= 0.5); // the value shown most often: .367
    }
    CHECK(accuracy(sum).front() >= 0.98);
    CHECK(accuracy(root).front() >= 0.98);
    CHECK(accuracy(mean_longer).front() >= 0.9);
    CHECK(accuracy(mean_longer).front() < accuracy(sum).front());

    const auto steps = column("first_at_95");
    CHECK(steps(sum).back() <= 200);
    CHECK(steps(root).front() >= 2 * steps(sum).back());
    CHECK(steps(mean_longer).front() >= 20 * steps(sum).back());

    const auto weight = column("right_weight");
    CHECK(weight(sum).front() >= 0.9);
    CHECK(weight(mean_longer).back() <= 0.3); // yet the largest, practically always
    CHECK(column("right_share")(mean_longer).front() >= 0.95);
}
// [claim_recall]

// [claim_memories]
TEST_CASE("inputs can be attended by every unit, states below by the simple one", "[06][claim]")
{
    const auto accuracy = [](int row) {
        return of_row("trained_memories.csv", row, "accuracy");
    };
    for (const int row : {0, 1, 2, 3, 5, 8}) { // RNN: own, inputs, below; GRU: own, inputs;
        CAPTURE(row);                          // LSTM: inputs
        CHECK(accuracy(row).front() >= 0.98);
    }
    for (const int row : {6, 7}) { // GRU: below; LSTM: own
        CAPTURE(row);
        CHECK(accuracy(row).back() <= 0.5);
    }
    CHECK(accuracy(4).front() <= 0.5); // GRU, own states, joined to the state
}
// [claim_memories]

// [claim_switched]
TEST_CASE("attention alone forecasts the switched lag, and looks at it", "[06][claim]")
{
    using enum ForecastRow;
    const auto error = [](ForecastRow model) {
        return errors("trained_constructed.csv", 0, model);
    };
    REQUIRE(error(attention_only).size() == 3);
    CHECK(error(attention_only).back() <= 0.34);
    CHECK(error(ridge).front() >= 0.7);     // a linear map sees the mean of two rules
    CHECK(error(products).front() <= 0.32); // the statistician who knows the products
    CHECK(error(lstm).front() >= 0.38);
    CHECK(error(lstm_attention).front() >= 0.35);
    CHECK(error(mean).front() >= 1.0);
    CHECK(error(persistence).front() >= 1.2);
    const program::NumericTable lags = committed_table("trained_right_lag.csv");
    for (const double weight : lags.column("lowest_weight")) {
        CHECK(weight >= 0.9); // at the right lag, in both regimes and all seeds
    }
}
// [claim_switched]

// [claim_fixed]
TEST_CASE("where lags are fixed ridge regression is best, and two queries find them",
          "[06][claim]")
{
    using enum ForecastRow;
    const auto error = [](ForecastRow model) {
        return errors("trained_constructed.csv", 1, model);
    };
    CHECK(error(ridge).front() <= error(attention_only).front());
    CHECK(error(attention_only).back() <= 0.33);
    CHECK(error(lstm).front() >= 0.33);
    CHECK(error(lstm_attention).front() >= 0.33);
    const program::NumericTable weights = committed_table("trained_fixed.csv");
    for (std::size_t seed = 0; seed < 3; ++seed) {
        CHECK(weights.column("at_lag_3")[seed] >= 0.9);
        CHECK(weights.column("at_lag_12")[seed] >= 0.9);
    }
}
// [claim_fixed]

// [claim_measured]
TEST_CASE("on measured series attention wins nowhere clearly", "[06][claim]")
{
    using enum ForecastRow;
    const auto error = [](int series, ForecastRow model) {
        return errors("trained_measured.csv", series, model);
    };
    enum SeriesRow
    {
        sunspots,
        sales,
        lungs,
        drivers,
        shares
    };
    // Sunspots: the LSTM is ahead of ridge regression, attention alone behind it.
    CHECK(error(sunspots, lstm).back() < median(error(sunspots, ridge)));
    CHECK(error(sunspots, attention_only).front() > median(error(sunspots, ridge)));
    CHECK(error(sunspots, attention_only).back() < error(sunspots, seasonal).front());
    // Sales: ridge regression by far, although attention finds the lag.
    CHECK(error(sales, ridge).front() < 0.75 * error(sales, attention_only).front());
    CHECK(error(sales, ridge).front() < 0.75 * error(sales, lstm).front());
    CHECK(error(sales, unchanged).front() < 0.85 * error(sales, persistence).front());
    const program::NumericTable weights = committed_table("trained_sales.csv");
    for (const double weight : weights.column("at_lag_3")) {
        CHECK(weight > 3 * 0.125);
    }
    // Deaths: the seasonal rule is as good as attention.
    CHECK(median(error(lungs, attention_only)) >= error(lungs, seasonal).front());
    CHECK(median(error(lungs, lstm)) < error(lungs, seasonal).front());
    // Drivers: attention alone and ridge regression are level, the LSTM is behind persistence.
    CHECK(std::abs(median(error(drivers, attention_only)) - error(drivers, ridge).front()) <
          0.01);
    CHECK(error(drivers, lstm).front() > error(drivers, persistence).front());
    // Shares: nobody is more than two per cent better than the mean.
    for (const ForecastRow model : {ridge, products, lstm, lstm_attention, attention_only}) {
        CHECK(error(shares, model).front() > 0.98 * error(shares, mean).front());
    }
}
// [claim_measured]

// [claim_horizons]
TEST_CASE("far ahead the seasonal rule is hard to beat", "[06][claim]")
{
    const program::NumericTable table = committed_table("trained_horizons.csv");
    REQUIRE(table.n_rows() == 12);
    const auto at = [&](const char* column, std::size_t years) {
        return table.column(column)[years - 1];
    };
    const std::vector<std::string> learnt = {"ridge_direct",
                                             "ridge_recursive",
                                             "LSTM_direct",
                                             "LSTM_recursive",
                                             "LSTM_with_attention_direct",
                                             "LSTM_with_attention_recursive",
                                             "attention_only_direct",
                                             "attention_only_recursive"};
    for (const std::string& model : learnt) {
        CAPTURE(model);
        CHECK(at(model.c_str(), 1) < at("seasonal_naive", 1));
        for (std::size_t years = 3; years <= 11; ++years) {
            CHECK(at(model.c_str(), years) > at("seasonal_naive", years));
        }
    }
    CHECK(at("LSTM_recursive", 1) < at("LSTM_direct", 1) - 0.3);
    CHECK(at("attention_only_recursive", 12) > at("attention_only_direct", 12) + 0.5);
    CHECK(at("attention_only_recursive", 12) > at("mean", 12)); // its own errors add up
    for (std::size_t years = 1; years <= 12; ++years) {         // the same regression, nearly
        CHECK(std::abs(at("ridge_recursive", years) - at("ridge_direct", years)) < 0.15);
    }
}
// [claim_horizons]

TEST_CASE("trained again, the sum recalls and attention alone finds the lags", "[06][train]")
{
    const RecallResult recall = train_recall(
        {.cell = {Unit::rnn, Memory::own_states, ContextTo::state, Score::sum}, .n_steps = 300},
        1);
    check_first_losses(recall.losses,
                       committed_table("trained_recall_losses.csv").column("sum"));
    CHECK(recall.accuracy >= 0.98);
    CHECK(recall.right_share >= 0.95);

    const Problem problem =
        split_in_time(draw_series(Lags::switched, 3000, 1), {16, 1, 400, 600});
    const TrainedForecaster trained =
        train_forecaster(problem, {.make = make_attention_only<float>}, 1);
    check_first_losses(trained.losses,
                       committed_table("trained_forecast_losses.csv").column("attention"));
    const Matrix forecast =
        in_own_units(problem, predictor_of(trained.network)(problem.test.inputs));
    CHECK(rmse(forecast, truth_of(problem, problem.test), 0) <= 0.34);
    std::vector<bool> on;
    for (const std::size_t row : problem.test.last) {
        on.push_back(problem.series.values(row, 2) > 0.5);
    }
    const Matrix weights = weights_on(trained.network, problem.test);
    CHECK(mean_weight_by_lag(weights, on)(2) >= 0.9);
    on.flip();
    CHECK(mean_weight_by_lag(weights, on)(11) >= 0.9);
}
