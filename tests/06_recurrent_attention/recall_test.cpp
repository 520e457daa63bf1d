/// \file
/// \brief Associative recall: the task, the rule that takes no notice of the key, three seeds
/// as committed, one trained again for a short while.
#include "chapters/06_recurrent_attention/recall.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/committed_losses.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>

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

/// A column of a committed table for one row of the program's, a number a seed.
std::vector<double> of_row(const std::string& file, int row, const std::string& column)
{
    const std::vector<double> numbers =
        testing::numbers_where(committed_table(file), column, {{"row", row}});
    REQUIRE(numbers.size() == 3);
    return numbers;
}

std::vector<double> of_row(const std::string& file, RecallRow row, const std::string& column)
{
    return of_row(file, static_cast<int>(row), column);
}

double lowest(const std::vector<double>& numbers)
{
    return *std::min_element(numbers.begin(), numbers.end());
}

double highest(const std::vector<double>& numbers)
{
    return *std::max_element(numbers.begin(), numbers.end());
}

} // namespace

TEST_CASE("an example shows distinct keys, then one of them", "[06]")
{
    random::Generator generator(1);
    const RecallTask task;
    const RecallBatch batch = draw_recall(task, 200, generator);
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
    CHECK_THROWS_AS(draw_recall({9, 8, 2}, 1, generator), ContractError);
    CHECK_THROWS_AS(draw_recall({6, 8, 0}, 1, generator), ContractError);
}

TEST_CASE("the most frequent value, with a pencil", "[06][oracle]")
{
    random::Generator generator(1);
    const RecallTask task{2, 2, 1};
    RecallBatch batch = draw_recall(task, 1, generator);
    float* const rows = batch.inputs.data();
    std::fill_n(rows, batch.inputs.size(), 0.0F);
    rows[2] = rows[4 + 2] = 1; // both pairs have value 0
    batch.answers = {0};
    CHECK(most_frequent_value(task, batch) == 1);
    rows[4 + 2] = 0;
    rows[4 + 3] = 1; // one each
    CHECK(most_frequent_value(task, batch) == 0.5);
    batch.answers = {1};
    rows[4 + 3] = 0;
    rows[4 + 2] = 1;
    CHECK(most_frequent_value(task, batch) == 0);
}

// [claim_recall]
TEST_CASE("attention with the sum recalls, and no plain network does", "[06][claim]")
{
    using enum RecallRow;
    const auto accuracy = [](RecallRow row) {
        return of_row("trained_recall.csv", row, "accuracy");
    };
    for (const RecallRow row : {rnn, gru, lstm, mean, asked_once}) {
        CAPTURE(row);
        CHECK(highest(accuracy(row)) <= 0.5); // the value shown most often: .367
    }
    CHECK(lowest(accuracy(sum)) >= 0.98);
    CHECK(lowest(accuracy(root)) >= 0.98);
    CHECK(lowest(accuracy(mean_longer)) >= 0.9);
    CHECK(lowest(accuracy(mean_longer)) < lowest(accuracy(sum)));

    const auto steps = [](RecallRow row) {
        return of_row("trained_recall.csv", row, "first_at_95");
    };
    CHECK(highest(steps(sum)) <= 200);
    CHECK(lowest(steps(root)) >= 2 * highest(steps(sum)));
    CHECK(lowest(steps(mean_longer)) >= 20 * highest(steps(sum)));

    const auto weight = [](RecallRow row) {
        return of_row("trained_recall.csv", row, "right_weight");
    };
    CHECK(lowest(weight(sum)) >= 0.9);
    CHECK(highest(weight(mean_longer)) <= 0.3); // yet the largest, practically always
    CHECK(lowest(of_row("trained_recall.csv", mean_longer, "right_share")) >= 0.95);
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
        CHECK(lowest(accuracy(row)) >= 0.98);
    }
    for (const int row : {6, 7}) { // GRU: below; LSTM: own
        CAPTURE(row);
        CHECK(highest(accuracy(row)) <= 0.5);
    }
    CHECK(lowest(accuracy(4)) <= 0.5); // GRU, own states, joined to the state
}
// [claim_memories]

TEST_CASE("the committed losses of recall come again", "[06][train]")
{
    const program::NumericTable table = committed_table("trained_recall_losses.csv");
    RecallTraining training{{Unit::rnn, Memory::own_states, ContextTo::state, Score::sum}};
    training.n_steps = 100;
    const RecallResult of_sum = train_recall(training, 1);
    training.cell = {Unit::lstm, Memory::none};
    const RecallResult of_lstm = train_recall(training, 1);
    check_first_losses(of_sum.losses, table.column("sum"));
    check_first_losses(of_lstm.losses, table.column("lstm"));
}

TEST_CASE("another seed recalls after 300 steps", "[06][train]")
{
    RecallTraining training{{Unit::rnn, Memory::own_states, ContextTo::state, Score::sum}};
    training.n_steps = 300;
    const RecallResult result = train_recall(training, 7);
    CHECK(result.accuracy >= 0.98);
    CHECK(result.right_share >= 0.95);
    CHECK(result.first_at_95 % recall_look == 0);
    CHECK(result.accuracies.size() == 15);
    training.task.n_query_steps = 1;
    CHECK(train_recall(training, 7).accuracy <= 0.5);
}
