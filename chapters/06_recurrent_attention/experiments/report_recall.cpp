/// \file
/// \brief Recall with and without attention, by score, memory and unit.
#include "chapters/06_recurrent_attention/experiments/recall_training.hpp"
#include "chapters/06_recurrent_attention/experiments/report.hpp"
#include "chapters/06_recurrent_attention/streams.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>

namespace attn::recurrent_attention::report {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::significant;
using program::Spread;
using program::spread;

namespace {

struct Row
{
    std::string name;
    RecallTraining training;
};

using Results = std::vector<std::vector<RecallResult>>; // [row][seed]

Results train_all(const Frame& frame, const std::vector<Row>& rows)
{
    return program::run_rows_with_seeds(frame, "recall", rows.size(), seeds_of(frame),
                                        [&](std::size_t row, std::uint64_t seed) {
                                            RecallTraining training = rows[row].training;
                                            training.n_steps =
                                                frame.options.quick ? 40 : training.n_steps;
                                            return train_recall(training, seed);
                                        });
}

std::vector<std::string> cells(const std::vector<RecallResult>& results, bool attends)
{
    const auto of = [&](double RecallResult::*number) {
        return spread(results, [&](const RecallResult& result) { return result.*number; });
    };
    return {
        std::to_string(results.front().n_parameters), of(&RecallResult::accuracy).text(3),
        spread(results, [](const RecallResult& result) { return result.first_at_95; }).text(0),
        attends ? fixed(of(&RecallResult::right_weight).median(), 2) : "",
        attends ? fixed(of(&RecallResult::right_share).median(), 2) : ""};
}

void save(Frame& frame, const char* file, const Results& results)
{
    program::CsvRows csv({{"row", significant, 4},
                          {"seed", significant, 10},
                          {"accuracy", fixed, 4},
                          {"first_at_95", significant, 6},
                          {"right_weight", fixed, 4},
                          {"right_share", fixed, 4},
                          {"largest_norm", significant, 4}});
    for (std::size_t row = 0; row < results.size(); ++row) {
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            const RecallResult& result = results[row][seed];
            csv.add({static_cast<double>(row), static_cast<double>(frame.options.seed + seed),
                     result.accuracy, static_cast<double>(result.first_at_95),
                     result.right_weight, result.right_share,
                     *std::max_element(result.norms.begin(), result.norms.end())});
        }
    }
    frame.files.write_csv(file, csv.columns());
}

CellOptions with_score(Score score)
{
    return {Unit::rnn, Memory::own_states, ContextTo::state, score};
}

std::vector<Row> recall_rows()
{
    std::vector<Row> rows;
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        rows.push_back({name_of(unit), {{unit, Memory::none}}});
    }
    for (const Score score : {Score::mean, Score::root, Score::sum, Score::additive}) {
        rows.push_back({"RNN, attends, " + name_of(score), {with_score(score)}});
    }
    rows.push_back({"the same, sum, asked once", {with_score(Score::sum)}});
    rows.back().training.task.n_query_steps = 1;
    rows.push_back({"the same, mean, 4000 steps", {with_score(Score::mean)}});
    rows.back().training.n_steps = 4000;
    return rows;
}

} // namespace

void recall(Frame& frame)
{
    const std::vector<Row> rows = recall_rows();
    frame.terminal.introduce(
        "Associative recall",
        "Six pairs of a key and a value, each one of 8 symbols, then one of the keys for two "
        "steps: which value had it? After 600 steps of 64 examples: accuracy on 1000 new ones "
        "and the steps to .95, with 0 for never (lowest, median and highest of three seeds); "
        "and in the last step, medians: the weight of the state after the right pair, and how "
        "often it has the largest. States have 32 numbers.");
    const Results results = train_all(frame, rows);
    program::Table table(
        {"network", "parameters", "accuracy", "steps to .95", "weight", "largest"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::string> line = cells(results[row], row > 2);
        line.insert(line.begin(), rows[row].name);
        table.row(line);
    }
    random::Generator generator(frame.options.seed, stream::recall_test);
    const tasks::RecallTask task;
    const double rule = most_frequent_value(task, draw_recall(task, 1000, generator));
    table.row({"the value shown most often", "", fixed(rule, 3), "", "", ""});
    table.row({"chance", "", fixed(1.0 / 8, 3), "", "", ""});
    frame.terminal.table(table);
    frame.terminal.line();

    std::vector<double> norms;
    for (const RecallResult& result : results[5]) {
        norms.insert(norms.end(), result.norms.begin(), result.norms.end());
    }
    const auto n_clipped =
        std::count_if(norms.begin(), norms.end(), [](double norm) { return norm > 1; });
    frame.terminal.paragraph(fmt::format(
        "Gradients longer than 1 are clipped. With the sum {} % of the steps were, the longest "
        "had a length of {}.",
        fixed(100.0 * static_cast<double>(n_clipped) / static_cast<double>(norms.size()), 0),
        fixed(*std::max_element(norms.begin(), norms.end()), 1)));
    save(frame, "trained_recall.csv", results);
    frame.files.write_csv(
        "trained_recall_losses.csv",
        program::CsvColumns()
            .add("lstm", program::first_losses(results[2][0].losses), significant, 6)
            .add("sum", program::first_losses(results[5][0].losses), significant, 6));
}

void memories(Frame& frame)
{
    std::vector<Row> rows;
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        for (const Memory memory : {Memory::own_states, Memory::inputs, Memory::states_below}) {
            if (unit == Unit::lstm && memory == Memory::states_below) {
                continue; // as the GRU's, and slow
            }
            rows.push_back({name_of(memory), {{unit, memory, ContextTo::input, Score::sum}}});
            if (unit == Unit::gru && memory == Memory::own_states) {
                rows.push_back(
                    {name_of(memory), {{unit, memory, ContextTo::state, Score::sum}}});
            }
        }
    }
    frame.terminal.introduce(
        "What is attended, and where the context goes",
        "The same task with the sum as score. Inputs and states below are of another kind "
        "than the state that asks, so a matrix that maps the one to the other is learnt. For "
        "RNN and LSTM it makes no difference whether the context is joined to the input or "
        "to the state; for the GRU both are shown.");
    const Results results = train_all(frame, rows);
    program::Table table({"unit", "attended", "joined to", "parameters", "accuracy",
                          "steps to .95", "weight", "largest"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const CellOptions& cell = rows[row].training.cell;
        std::vector<std::string> line = cells(results[row], true);
        line.insert(line.begin(), {name_of(cell.unit), rows[row].name,
                                   cell.unit != Unit::gru                ? "either"
                                   : cell.context_to == ContextTo::input ? "input"
                                                                         : "state"});
        table.row(line);
    }
    frame.terminal.table(table);
    save(frame, "trained_memories.csv", results);
}

} // namespace attn::recurrent_attention::report
