/// \file
/// \brief The examples of associative recall, a regression that is given products, and one seed of
/// each training once more.
#include "chapters/06_recurrent_attention/experiments/experiments.hpp"
#include "common/tasks/recall.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

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

// [claim_switched]
TEST_CASE("products with the switch tell ridge regression enough, and all products nearly",
          "[06][claim]")
{
    const Problem problem =
        split_in_time(draw_series(Lags::switched, 3000, 1), {16, 1, 400, 600});
    const auto by_products = [&](const std::vector<std::size_t>& columns) {
        const Predictor predict = ridge_forecast(problem, columns);
        return rmse(in_own_units(problem, predict(problem.test.inputs)),
                    truth_of(problem, problem.test), 0);
    };
    const std::vector<double> committed =
        testing::committed_numbers("trained_constructed.csv", "rmse",
                                   {{"contest", "switched"}, {"model", "ridge_with_products"}});
    CHECK_THAT(by_products({z_column}), WithinAbs(committed.at(0), 0.0005));
    CHECK_THAT(by_products({0, 1, 2, 3}), WithinAbs(0.334, 0.0005)); // not told which switches
}
// [claim_switched]

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
