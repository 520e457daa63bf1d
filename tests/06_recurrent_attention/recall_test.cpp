/// \file
/// \brief Associative recall: the task, the rule that ignores the key, three seeds as committed.
#include "common/tasks/recall.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>

using namespace attn;
using namespace attn::tasks;
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

std::vector<double> of_row(const std::string& file, RecallRow row, const std::string& column)
{
    return of_row(file, static_cast<int>(row), column);
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
        CHECK(accuracy(row).back() <= 0.5); // the value shown most often: .367
    }
    CHECK(accuracy(sum).front() >= 0.98);
    CHECK(accuracy(root).front() >= 0.98);
    CHECK(accuracy(mean_longer).front() >= 0.9);
    CHECK(accuracy(mean_longer).front() < accuracy(sum).front());

    const auto steps = [](RecallRow row) {
        return of_row("trained_recall.csv", row, "first_at_95");
    };
    CHECK(steps(sum).back() <= 200);
    CHECK(steps(root).front() >= 2 * steps(sum).back());
    CHECK(steps(mean_longer).front() >= 20 * steps(sum).back());

    const auto weight = [](RecallRow row) {
        return of_row("trained_recall.csv", row, "right_weight");
    };
    CHECK(weight(sum).front() >= 0.9);
    CHECK(weight(mean_longer).back() <= 0.3); // yet the largest, practically always
    CHECK(of_row("trained_recall.csv", mean_longer, "right_share").front() >= 0.95);
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
