/// \file
/// \brief What the page says of forecasts: over three seeds as committed, and trained once more.
#include "chapters/06_recurrent_attention/experiments/contest.hpp"
#include "chapters/06_recurrent_attention/experiments/recall_training.hpp"
#include "chapters/06_recurrent_attention/experiments/series_data.hpp"
#include "tests/support/committed_table.hpp"

#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::check_first_losses;
using attn::testing::committed_table;

namespace {

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

/// The errors of a model in a contest, sorted, one or three.
std::vector<double> errors(const std::string& file, int contest, ForecastRow model)
{
    return testing::numbers_where(
        committed_table(file), "rmse",
        {{"contest", contest}, {"model", static_cast<double>(model)}});
}

double median(const std::vector<double>& sorted)
{
    return sorted.at(sorted.size() / 2);
}

} // namespace

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
TEST_CASE("where lags are fixed ridge regression is best, and two questions find them",
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
    const auto error = [](int contest, ForecastRow model) {
        return errors("trained_measured.csv", contest, model);
    };
    enum Contest
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
