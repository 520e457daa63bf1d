/// \file
/// \brief Associative recall, and what the page says of it and of forecasts: over three seeds as
/// committed, and trained once more.
#include "chapters/06_recurrent_attention/experiments/associative_recall.hpp"
#include "chapters/06_recurrent_attention/experiments/baselines.hpp"
#include "chapters/06_recurrent_attention/experiments/forecast_comparison.hpp"
#include "chapters/06_recurrent_attention/experiments/row_removal.hpp"
#include "chapters/06_recurrent_attention/experiments/series_data.hpp"
#include "common/tasks/recall.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

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
    asked_once
};

/// Of trained_longer.csv.
enum class LongerRow
{
    rnn,
    gru,
    lstm,
    mean,
    gru_joined_to_state,
    gru_below,
    lstm_own
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
    attention_only,
    dense
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
TEST_CASE("attention with the sum recalls at once, networks without it much later or never",
          "[06][claim]")
{
    const auto of = [](RecallRow row, const char* column) {
        return of_row("trained_recall.csv", static_cast<int>(row), column);
    };
    using enum RecallRow;
    for (const RecallRow row : {rnn, gru, lstm, mean, asked_once}) {
        CAPTURE(row);
        CHECK(of(row, "accuracy").back() <= 0.37); // the value shown most often: .367
    }
    CHECK(of(sum, "accuracy").front() >= 0.999);
    CHECK(of(root, "accuracy").front() >= 0.999);
    CHECK(median(of(sum, "right_weight")) >= 0.975);

    CHECK(of(sum, "first_at_95").front() == 120);
    CHECK(of(sum, "first_at_95").back() == 120);
    CHECK(of(root, "first_at_95").front() == 420);
    CHECK(of(root, "first_at_95").back() == 480);
    CHECK(of(additive, "first_at_95").front() == 0); // one seed never had it

    const auto longer = [](LongerRow row, const char* column) {
        return of_row("trained_longer.csv", static_cast<int>(row), column);
    };
    CHECK(longer(LongerRow::rnn, "first_at_95").back() == 0); // never, in 20000 steps
    CHECK(longer(LongerRow::rnn, "accuracy").back() <= 0.367);
    CHECK(longer(LongerRow::gru, "first_at_95").front() == 11880);
    CHECK(longer(LongerRow::gru, "first_at_95").back() == 14040);
    CHECK(longer(LongerRow::lstm, "first_at_95").front() == 7220);
    CHECK(longer(LongerRow::lstm, "first_at_95").back() == 8840);
    CHECK(longer(LongerRow::lstm_own, "first_at_95").front() == 3680); // the LSTM's own states
    CHECK(longer(LongerRow::lstm_own, "first_at_95").back() == 7040);
    const auto at_inputs = of_row("trained_memories.csv", 8, "first_at_95"); // of the LSTM
    CHECK(at_inputs.front() == 500);
    CHECK(at_inputs.back() == 540);
    CHECK(longer(LongerRow::lstm, "accuracy").front() >= 0.95);
    CHECK(longer(LongerRow::mean, "first_at_95").front() == 3440);
    CHECK(longer(LongerRow::mean, "first_at_95").back() == 3920);
    CHECK(longer(LongerRow::mean, "right_weight").front() >= 0.22);
    CHECK(longer(LongerRow::mean, "right_weight").back() <= 0.23);
    CHECK(longer(LongerRow::mean, "right_share").front() >= 0.99); // yet the largest
    for (const LongerRow row : {LongerRow::rnn, LongerRow::gru, LongerRow::lstm}) {
        CAPTURE(row); // the same trainings as in the first table
        CHECK(longer(row, "after_600") ==
              of_row("trained_recall.csv", static_cast<int>(row), "accuracy"));
    }
}
// [claim_recall]

// [claim_answers]
TEST_CASE("a key that was shown finds its pair, and one that was not finds a blend",
          "[06][claim]")
{
    const auto table = committed_table("trained_recall_answers.csv");
    for (std::size_t key = 0; key < 7; ++key) {
        std::vector<double> weights; // of h_0 and the states after the six pairs
        for (std::size_t state = 0; state < 7; ++state) {
            weights.push_back(testing::numbers_where(table, "weight",
                                                     {{"key", static_cast<double>(key)},
                                                      {"state", static_cast<double>(state)}})
                                  .at(0));
        }
        const double largest = *std::max_element(weights.begin(), weights.end());
        CAPTURE(key);
        CHECK((key < 6) == (largest >= 0.96));
        CHECK((key == 6) == (largest <= 0.25));
        CHECK((key == 6 || weights[key + 1] == largest));
    }
}
// [claim_answers]

// [claim_rates]
TEST_CASE("a larger learning rate hastens who does not attend more, and attention stays first",
          "[06][claim]")
{
    // Rows: RNN, GRU, LSTM, RNN with attention, each at .005, .01, .02, .05 and .1; 0 is never.
    const std::vector<std::vector<double>> steps = {{0, 0, 0, 0, 0},
                                                    {13460, 7960, 5300, 6220, 0},
                                                    {7220, 3160, 1640, 900, 15200},
                                                    {120, 80, 60, 0, 0}};
    const auto table = committed_table("trained_rates.csv");
    for (std::size_t network = 0; network < 4; ++network) {
        for (std::size_t rate = 0; rate < 5; ++rate) {
            CAPTURE(network, rate);
            const double row = static_cast<double>(network * 5 + rate);
            CHECK(testing::numbers_where(table, "first_at_95", {{"row", row}}) ==
                  std::vector{steps[network][rate]});
        }
    }
    // The first column is the first seed of the tables at that rate.
    const auto longer = committed_table("trained_longer.csv");
    for (const std::size_t network : {0U, 1U, 2U}) {
        CHECK(testing::numbers_where(longer, "first_at_95",
                                     {{"row", static_cast<double>(network)}, {"seed", 1}}) ==
              std::vector{steps[network][0]});
    }
}
// [claim_rates]

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
        CHECK(accuracy(row).back() <= 0.38);
    }
    CHECK(accuracy(4).front() <= 0.38); // GRU, own states, joined to the state
    struct Needed // steps to .95, the fewest and the most
    {
        int row;
        double fewest;
        double most;
    };
    for (const Needed& needed : {Needed{0, 120, 120}, Needed{1, 300, 320}, Needed{3, 360, 380},
                                 Needed{5, 300, 360}, Needed{8, 500, 540}}) {
        CAPTURE(needed.row);
        CHECK(of_row("trained_memories.csv", needed.row, "first_at_95").front() == needed.fewest);
        CHECK(of_row("trained_memories.csv", needed.row, "first_at_95").back() == needed.most);
    }

    // Given more time, two of the three are only late.
    const auto steps = [](LongerRow row) {
        return of_row("trained_longer.csv", static_cast<int>(row), "first_at_95");
    };
    CHECK(steps(LongerRow::gru_joined_to_state).front() == 580);
    CHECK(steps(LongerRow::gru_joined_to_state).back() == 740);
    CHECK(steps(LongerRow::gru_below).front() == 720);
    CHECK(steps(LongerRow::gru_below).back() == 1240);
    CHECK(steps(LongerRow::lstm_own).front() == 3680);
    CHECK(steps(LongerRow::lstm_own).back() == 7040);
    CHECK(steps(LongerRow::lstm_own)[1] == 6860);
    CHECK(steps(LongerRow::lstm_own).back() < steps(LongerRow::lstm).front());
    const program::NumericTable longer = committed_table("trained_longer.csv"); // of one seed:
    const auto weight = testing::numbers_where(
        longer, "right_weight",
        {{"row", static_cast<double>(LongerRow::lstm_own)}, {"first_at_95", 7040.0}});
    REQUIRE(weight.size() == 1);
    CHECK_THAT(weight.front(), WithinAbs(0.24, 0.005));
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
    CHECK(error(products).front() <= 0.32); // the statistician who knows the products: a tie
    CHECK(std::abs(error(products).front() - median(error(attention_only))) < 0.01);
    CHECK(error(lstm).front() >= 0.38);
    CHECK(error(lstm_attention).front() >= 0.35);
    CHECK(error(dense).front() >= 0.38); // level with the LSTM, far below ridge regression
    CHECK(std::abs(median(error(dense)) - median(error(lstm))) < 0.01);
    CHECK(error(dense).back() < 0.6 * error(ridge).front());
    CHECK(error(mean).front() >= 1.0);
    CHECK(error(persistence).front() >= 1.2);
    // Products with every column of the last row come near without being told which switches.
    const Problem problem =
        split_in_time(draw_series(Lags::switched, 3000, 1), {16, 1, 400, 600});
    const auto by_products = [&](const std::vector<std::size_t>& columns) {
        const Predictor predict = ridge_forecast(problem, columns);
        return rmse(in_own_units(problem, predict(problem.test.inputs)),
                    truth_of(problem, problem.test), 0);
    };
    CHECK_THAT(by_products({z_column}), WithinAbs(error(products).front(), 0.0005));
    CHECK_THAT(by_products({0, 1, 2, 3}), WithinAbs(0.334, 0.0005));
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
    CHECK_THAT(median(error(lstm)), WithinAbs(0.405, 0.0005)); // attention helps the LSTM
    CHECK_THAT(median(error(lstm_attention)), WithinAbs(0.354, 0.0005));
    CHECK(error(lstm_attention).back() > error(lstm).front()); // though the seeds overlap
    const program::NumericTable weights = committed_table("trained_fixed.csv");
    for (std::size_t seed = 0; seed < 3; ++seed) {
        CHECK(weights.column("at_lag_3")[seed] >= 0.9);
        CHECK(weights.column("at_lag_12")[seed] >= 0.9);
    }
}
// [claim_fixed]

// [claim_forecast_rates]
TEST_CASE("with more time and the better rate attention adds nothing sure to an LSTM",
          "[06][claim]")
{
    const program::NumericTable table = committed_table("trained_forecast_rates.csv");
    enum Network
    {
        lstm,
        lstm_attention,
        attention_only
    };
    const auto error = [&](int series, double rate, Network network) {
        auto found = testing::numbers_where(
            table, "rmse",
            {{"contest", series}, {"rate", rate}, {"network", static_cast<double>(network)}});
        REQUIRE(found.size() == 3);
        return found;
    };
    for (const int series : {0, 1}) {
        for (const double rate : {0.001, 0.003, 0.01, 0.03}) {
            CAPTURE(series, rate);
            CHECK(error(series, rate, attention_only).back() < 0.3165);
            CHECK(error(series, rate, attention_only).back() <
                  error(series, rate, lstm).front());
            for (const Network network : {lstm, lstm_attention}) { // the best of the four
                CHECK(median(error(series, 0.003, network)) <=
                      median(error(series, rate, network)));
            }
        }
        const auto without = error(series, 0.003, lstm);
        const auto with = error(series, 0.003, lstm_attention);
        CHECK(with.front() <= without.back()); // the seeds overlap
        CHECK(without.front() <= with.back());
    }
    CHECK(error(0, 0.001, lstm_attention).back() < error(0, 0.001, lstm).front());
    CHECK(error(0, 0.03, lstm_attention).front() > 0.7);
    CHECK_THAT(median(error(1, 0.01, lstm)), WithinAbs(0.354, 0.0005));
    CHECK_THAT(median(error(1, 0.01, lstm_attention)), WithinAbs(0.354, 0.0005));
    CHECK(error(1, 0.03, lstm_attention).back() < 0.4); // the LSTM alone is stuck
    CHECK(error(1, 0.03, lstm).front() > 0.7);
}
// [claim_forecast_rates]

// [claim_removal]
TEST_CASE("a weight on a state is not a weight on a row", "[06][claim]")
{
    const program::NumericTable table = committed_table("trained_removal.csv");
    const auto of = [&](int model, const char* column) {
        return testing::numbers_where(table, column, {{"model", model}});
    };
    constexpr int lstm_attention = 1;
    constexpr int attention_only = 2;
    const double mean_rule = errors("trained_constructed.csv", 0, ForecastRow::mean).front();
    // Attention only: the row with the weight is the row that counts.
    CHECK(of(attention_only, "weight").front() >= 0.98);
    CHECK(of(attention_only, "right_out") == of(attention_only, "heaviest_out"));
    CHECK_THAT(median(of(attention_only, "right_out")), WithinAbs(mean_rule, 0.005));
    // The LSTM with attention: little weight, but nothing goes without the row.
    CHECK(of(lstm_attention, "weight").back() <= 0.35);
    CHECK(of(lstm_attention, "right_out").front() >= mean_rule);
    CHECK(of(lstm_attention, "heaviest_out").back() <= 0.8);
}
// [claim_removal]

// [claim_measured]
TEST_CASE("on measured series one split shows no victory of attention", "[06][claim]")
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

// [claim_origins]
TEST_CASE("from eight origins attention adds nothing sure to the LSTM", "[06][claim]")
{
    const program::NumericTable table = committed_table("trained_origins.csv");
    const auto at = [&](int series, int pair, const char* column) {
        const auto found =
            testing::numbers_where(table, column, {{"series", series}, {"model", pair}});
        REQUIRE(found.size() == 1);
        return found.front();
    };
    const auto sure = [&](int series, int pair) { // Student's t, 7 degrees of freedom, 5 %
        return std::abs(at(series, pair, "per_cent")) >
               2.365 * at(series, pair, "standard_error");
    };
    enum Line
    {
        last_row, // persistence
        unchanged,
        seasonal,
        mean,
        products,
        lstm,
        lstm_attention,
        attention_only,
        dense,
        attention_part
    };
    constexpr int sunspots = 0;
    constexpr int sales = 1;
    CHECK(sure(sunspots, lstm_attention));
    CHECK(at(sunspots, lstm_attention, "per_cent") < -30);
    CHECK(at(sunspots, lstm, "n_ahead") == 8);
    CHECK_FALSE(sure(sunspots, lstm)); // by a little
    CHECK_FALSE(sure(sunspots, attention_only));
    for (const int pair : {lstm, lstm_attention, attention_only, dense}) {
        CAPTURE(pair);
        CHECK(at(sales, pair, "per_cent") > 100); // more than twice the squared error
        CHECK(sure(sales, pair) == (pair != lstm_attention));
        for (const int series : {2, 3}) { // drivers, shares
            CAPTURE(series);
            CHECK_FALSE(sure(series, pair));
        }
    }
    CHECK(at(2, last_row, "per_cent") < 0);
    CHECK_FALSE(sure(2, last_row));
    for (const int pair :
         {lstm, lstm_attention, attention_only, dense}) { // drivers: rules first
        CAPTURE(pair);
        CHECK(at(2, pair, "per_cent") > 0);
        CHECK(at(2, seasonal, "per_cent") < 0);
    }
    for (const int series : {0, 1, 2, 3}) {
        CAPTURE(series); // what attention adds to the LSTM
        CHECK_FALSE(sure(series, attention_part));
        CHECK(at(series, attention_part, "low") < 0); // the bar of the figure
        CHECK(at(series, attention_part, "high") > 0);
    }
    const program::NumericTable added = committed_table("trained_added_by_attention.csv");
    for (const int series : {0, 1, 2, 3}) {
        CAPTURE(series); // the dots of the figure
        const auto blocks = testing::numbers_where(added, "per_cent", {{"series", series}});
        REQUIRE(blocks.size() == 8);
        CHECK_THAT(std::accumulate(blocks.begin(), blocks.end(), 0.0) / 8,
                   WithinAbs(at(series, attention_part, "per_cent"), 0.01));
        const auto n_ahead =
            std::count_if(blocks.begin(), blocks.end(), [](double x) { return x < 0; });
        CHECK(static_cast<double>(n_ahead) == at(series, attention_part, "n_ahead"));
    }
    CHECK(at(2, attention_part, "n_ahead") == 7);
    const program::NumericTable ratios = committed_table("trained_ratios.csv");
    for (const int series : {0, 1, 2, 3}) {
        CAPTURE(series); // the same errors, as multiples of ridge regression's
        const std::size_t row = static_cast<std::size_t>(series);
        const auto multiple = [&](int pair) { return 1 + at(series, pair, "per_cent") / 100; };
        CHECK_THAT(ratios.column("lstm")[row], WithinAbs(multiple(lstm), 0.001));
        CHECK_THAT(ratios.column("with_attention")[row],
                   WithinAbs(multiple(lstm_attention), 0.001));
    }
    CHECK_THAT(ratios.column("rule")[2], WithinAbs(1 + at(2, seasonal, "per_cent") / 100, 0.001));
    for (const int pair : {last_row, products, lstm, lstm_attention, attention_only, dense}) {
        CHECK(at(2, seasonal, "per_cent") < at(2, pair, "per_cent")); // drivers: the lowest error
    }
    auto of_sales = testing::numbers_where(added, "per_cent", {{"series", sales}});
    std::sort(of_sales.begin(), of_sales.end());
    const double of_six = std::accumulate(of_sales.begin(), of_sales.end() - 2, 0.0);
    CHECK(std::abs(of_six) < 0.05 * (of_sales[6] + of_sales[7])); // the other six cancel
    for (const double block : testing::numbers_where(added, "per_cent", {{"series", 3}})) {
        CHECK(std::abs(block) < 1.4);
    }
    CHECK(std::abs(at(3, attention_part, "per_cent")) < 0.5); // rounds to 0
    CHECK(at(3, attention_part, "standard_error") < 0.5);
}
// [claim_origins]

// [claim_horizons]
TEST_CASE("far ahead the seasonal rule is hard to beat", "[06][claim]")
{
    const program::NumericTable table = committed_table("trained_horizons.csv");
    REQUIRE(table.n_rows() == 12);
    const auto at = [&](const char* column, std::size_t years) {
        return table.column(column)[years - 1];
    };
    std::vector<std::string> learnt = {"LSTM_direct"};
    for (const char* model :
         {"ridge", "LSTM", "LSTM_with_attention", "attention_only", "dense_network"}) {
        learnt.push_back(model + std::string("_multi-output"));
        learnt.push_back(model + std::string("_recursive"));
    }
    for (const std::string& model : learnt) {
        CAPTURE(model);
        CHECK(at(model.c_str(), 1) < at("seasonal_naive", 1));
        for (std::size_t years = 3; years <= 11; ++years) {
            CHECK(at(model.c_str(), years) > at("seasonal_naive", years));
        }
    }
    // Fewer windows cost the LSTM little one year ahead, twelve outputs much.
    CHECK(at("LSTM_direct", 1) < at("LSTM_recursive", 1) + 0.1);
    CHECK(at("LSTM_multi-output", 1) > at("LSTM_direct", 1) + 0.3);
    CHECK(at("LSTM_multi-output", 8) < at("LSTM_direct", 8)); // further ahead it varies
    CHECK(at("LSTM_multi-output", 10) > at("LSTM_direct", 10));
    CHECK(at("LSTM_direct", 5) > at("mean", 5));
    for (const std::string& model : learnt) {
        CHECK(at(model.c_str(), 1) >= at("LSTM_recursive", 1));
        CHECK(at(model.c_str(), 12) >= at("LSTM_recursive", 12));
    }
    CHECK(at("attention_only_recursive", 12) > at("attention_only_multi-output", 12) + 0.5);
    CHECK(at("attention_only_recursive", 12) > at("mean", 12)); // its own errors add up
    CHECK(at("dense_network_recursive", 12) > at("dense_network_multi-output", 12) + 0.5);
    CHECK(at("LSTM_recursive", 12) < at("LSTM_multi-output", 12) - 0.4); // the LSTMs' do not
    CHECK(at("LSTM_with_attention_recursive", 12) <
          at("LSTM_with_attention_multi-output", 12) - 0.4);
    for (std::size_t years = 1; years <= 12; ++years) { // the same regression, nearly
        CHECK(std::abs(at("ridge_recursive", years) - at("ridge_multi-output", years)) < 0.15);
    }
}
// [claim_horizons]

TEST_CASE("a training stops once it has learnt enough, and not before", "[06]")
{
    RecallTraining training{.cell = {Unit::rnn, Memory::none}, .n_steps = 60};
    training.enough = 0; // any accuracy is
    CHECK(train_recall(training, 1).losses.size() == evaluation_interval);
    training.enough = 1; // none is, so early
    CHECK(train_recall(training, 1).losses.size() == 60);
}

TEST_CASE("trained again, the sum recalls and attention alone finds the lags", "[06][train]")
{
    const RecallResult recall = train_recall(
        {.cell = {Unit::rnn, Memory::own_states, ContextTo::state, Score::sum}, .n_steps = 300},
        1);
    check_first_losses(recall.losses,
                       committed_table("trained_recall_losses.csv").column("sum"));
    CHECK(recall.accuracy >= 0.98);
    CHECK(recall.right_share >= 0.95);
    CHECK(recall.first_at_95 >= 100);
    CHECK(recall.first_at_95 <= 140);
    constexpr std::array<std::size_t, 6> digits = {3, 7, 1, 2, 5, 4}; // of A, C, F, B, H, D
    REQUIRE(recall.answers.size() == 7);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const RecallAnswer& answer = recall.answers[i];
        CAPTURE(answer.key);
        CHECK(answer.said + 1 == digits[i]);
        CHECK(std::max_element(answer.weights.begin(), answer.weights.end()) -
                  answer.weights.begin() ==
              static_cast<std::ptrdiff_t>(i + 1));
    }

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
    std::vector<std::size_t> right;
    for (const bool is_on : on) {
        right.push_back(is_on ? lag_if_1 : lag_if_0);
    }
    const Matrix without = in_own_units(
        problem, predictor_of(trained.network)(without_rows(problem.test.inputs, right, 0)));
    CHECK(rmse(without, truth_of(problem, problem.test), 0) >= 0.9);
    on.flip();
    CHECK(mean_weight_by_lag(weights, on)(11) >= 0.9);
}
