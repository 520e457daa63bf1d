#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/recurrent_steps.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/trace.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <utility>

namespace attn::recurrent_attention {

using autograd::as_matrix;
using autograd::as_variable;
using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using random::Generator;
using tasks::draw_recall;
using tasks::RecallBatch;
using tasks::RecallTask;

namespace {

std::string name_of(Unit unit)
{
    return unit == Unit::rnn ? "RNN" : unit == Unit::gru ? "GRU" : "LSTM";
}

std::string name_of(Memory memory)
{
    const std::array<const char*, 4> names = {"none", "inputs", "own states", "states below"};
    return names.at(static_cast<std::size_t>(memory));
}

std::string name_of(Score score)
{
    const std::array<const char*, 4> names = {"mean", "1/sqrt(d)", "sum", "additive"};
    return names.at(static_cast<std::size_t>(score));
}

} // namespace

void show_pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "Two networks have been in the same three states, h_0, h_1 and h_2, and are now in "
        "different ones. In each the current state is the query; the earlier states are keys "
        "and values. The weights are shown for three scores, and the context of the sum goes "
        "on: it is joined to the state, and the simple network takes a step from both, with "
        "U = V = I/2 and no input.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    trace(terminal, "u", "the current states, one a network", "batch, d", queries);
    trace(terminal, "v", "what both remember", "n_states, d", keys);

    // The same memory for both networks.
    const Matrix twice = xt::concatenate(xt::xtuple(keys, keys));
    const Variable<double> u = as_variable(queries, {2, 2});
    const Variable<double> v = as_variable(twice, {2, 3, 2});
    for (const Score score : {Score::mean, Score::root, Score::sum}) {
        const Variable<double> scores = memory_scores(score, u, v);
        trace(terminal, "scores", name_of(score), "batch, n_states", as_matrix(scores));
        trace(terminal, "A", "softmax of the scores", "batch, n_states",
              as_matrix(read_memory(scores, v).weights));
    }
    const Variable<double> c = read_memory(memory_scores(Score::sum, u, v), v).context;
    trace(terminal, "c", "A v, with the sum's weights", "batch, d", as_matrix(c));
    const Variable<double> r = 0.5 * u + 0.5 * c;
    trace(terminal, "r", "[u; c] [U; V] = u U + c V", "batch, d", as_matrix(r));
    trace(terminal, "h'", "tanh(r), the next states", "batch, d",
          as_matrix(rnn_update(Variable<double>(filled<double>({2, 2}, 0.0)), r)));
}

namespace {

constexpr std::size_t state_size = 32;

/// A cell and a linear readout of its last state.
struct Model
{
    Model(const RecallTraining& training, Generator& generator)
        : cell(training.cell, 2 * training.task.n_symbols, state_size, generator),
          readout(state_size, training.task.n_symbols, generator)
    {
        parameters.add_layer("cell", cell);
        parameters.add_layer("readout", readout);
    }

    Variable<float> logits(const CellOutputs<float>& outputs) const
    {
        return readout(select(outputs.outputs, 1, outputs.outputs.shape()[1] - 1));
    }

    AttentionCell<float> cell;
    nn::Linear<float> readout;
    nn::Parameters<float> parameters;
};

std::size_t largest_of(const float* row, std::size_t n)
{
    return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}

/// Share of right answers, and what the weights of the last step are.
void evaluate(const Model& model, const RecallTraining& training, const RecallBatch& batch,
              RecallResult& result)
{
    const CellOutputs<float> outputs = model.cell(batch.inputs);
    const Variable<float> logits = model.logits(outputs);
    const double share = 1 / static_cast<double>(batch.answers.size());
    const std::size_t n_symbols = training.task.n_symbols;
    result.accuracy = result.right_weight = result.right_share = 0;
    for (std::size_t i = 0; i < batch.answers.size(); ++i) {
        const std::size_t said = largest_of(logits.value().data() + i * n_symbols, n_symbols);
        result.accuracy += said == static_cast<std::size_t>(batch.answers[i]) ? share : 0;
        if (!outputs.weights.empty()) {
            // The state after pair i is number i + 1, since h_0 is remembered as well.
            const Variable<float>& last = outputs.weights.back();
            const std::size_t n = last.shape()[1];
            const std::size_t right =
                batch.pairs[i] + (training.cell.memory == Memory::own_states ? 1 : 0);
            const float* const row = last.value().data() + i * n;
            if (right < n) { // the last state is not in its own memory
                result.right_weight += share * static_cast<double>(row[right]);
                result.right_share += largest_of(row, n) == right ? share : 0;
            }
        }
    }
}

/// The page's sequence: a letter is a key, a digit its value.
constexpr std::array<const char*, 6> page_pairs = {"A3", "C7", "F1", "B2", "H5", "D4"};

/// The keys that it is asked for, of which it does not show the last one.
constexpr std::array<char, 7> page_keys = {'A', 'C', 'F', 'B', 'H', 'D', 'E'};

/// Whether the page's sequence can be read by a model of a task.
bool has_size_of_page(const RecallTask& task)
{
    const RecallTask page;
    return task.n_pairs == page.n_pairs && task.n_symbols == page.n_symbols &&
           task.n_query_steps == page.n_query_steps;
}

/// The page's sequence once for each of its keys.
/// \param task  of the page's size
/// \returns  [page_keys, page_pairs + n_query_steps, 2 n_symbols], as draw_recall does
Variable<float> page_inputs(const RecallTask& task)
{
    const std::size_t n_steps = page_pairs.size() + task.n_query_steps;
    const std::size_t width = 2 * task.n_symbols;
    Array<float> inputs = filled<float>({page_keys.size(), n_steps, width}, 0.0F);
    float* row = inputs.data();
    for (const char key : page_keys) {
        for (const char* const pair : page_pairs) {
            row[pair[0] - 'A'] = 1;
            row[task.n_symbols + static_cast<std::size_t>(pair[1] - '1')] = 1;
            row += width;
        }
        for (std::size_t step = 0; step < task.n_query_steps; ++step, row += width) {
            row[key - 'A'] = 1;
        }
    }
    return Variable<float>(inputs);
}

/// How a model that attends to its own states answers for each of the page's keys.
std::vector<RecallAnswer> answer_page(const Model& model, const RecallTask& task)
{
    const autograd::NoGradient<float> forwards;
    const CellOutputs<float> outputs = model.cell(page_inputs(task));
    const Array<float> p = autograd::softmax(model.logits(outputs)).value();
    const Variable<float>& last = outputs.weights.back();
    const std::size_t n_attended = last.shape()[1];
    std::vector<RecallAnswer> answers;
    for (std::size_t i = 0; i < page_keys.size(); ++i) {
        const float* const weights = last.value().data() + i * n_attended;
        const float* const row = p.data() + i * task.n_symbols;
        const std::size_t said = largest_of(row, task.n_symbols);
        answers.push_back({page_keys[i],
                           {weights, weights + n_attended},
                           said,
                           static_cast<double>(row[said])});
    }
    return answers;
}

} // namespace

RecallResult train_recall(const RecallTraining& training, std::uint64_t seed)
{
    Generator first(seed, random::Stream::recall_parameters);
    Generator examples(seed, random::Stream::recall_training);
    Generator fresh(seed, random::Stream::recall_test);
    Model model(training, first);
    nn::Adam<float> adam(model.parameters, {.learning_rate = training.learning_rate});
    const RecallBatch test = draw_recall(training.task, 1000, fresh);
    const RecallBatch validation = draw_recall(training.task, 500, fresh);

    RecallResult result;
    result.n_parameters = model.parameters.n_numbers();
    for (std::size_t step = 1; step <= training.n_steps; ++step) {
        const RecallBatch batch = draw_recall(training.task, 64, examples);
        autograd::Tape<float> tape;
        const Variable<float> loss =
            cross_entropy(model.logits(model.cell(batch.inputs)), batch.answers);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        result.norms.push_back(nn::clip_by_global_norm(model.parameters, 1.0));
        adam.step();

        if (step % evaluation_interval == 0) {
            const autograd::NoGradient<float> evaluation;
            evaluate(model, training, validation, result);
            const double reached = result.accuracy;
            if (result.first_at_95 == 0 && reached >= 0.95) {
                result.first_at_95 = step;
            }
            if (step == compared_steps) {
                evaluate(model, training, test, result);
                result.accuracy_compared = result.accuracy;
            }
            if (reached >= training.enough) {
                break;
            }
        }
    }
    nn::count_training(model.parameters);
    evaluate(model, training, test, result);
    if (training.cell.memory == Memory::own_states && has_size_of_page(training.task)) {
        result.answers = answer_page(model, training.task);
    }
    return result;
}

// ---------------------------------------------------------------- tables

namespace {

/// A row of a table.
struct RecallRow
{
    std::string name;
    RecallTraining training;
};

using Results = std::vector<std::vector<RecallResult>>; // [row][seed]

Results train_all(const Frame& frame, const std::vector<RecallRow>& rows,
                  const std::vector<std::uint64_t>& seeds)
{
    return program::run_rows_with_seeds(
        frame, "recall", rows.size(), seeds, [&](std::size_t row, std::uint64_t seed) {
            RecallTraining training = rows[row].training;
            training.n_steps = frame.options.quick ? 40 : training.n_steps;
            return train_recall(training, seed);
        });
}

/// The fewest, the middle and the most steps to .95, or the one number there is; who never has it
/// comes last.
std::string steps_to_95(const std::vector<RecallResult>& results)
{
    std::vector<std::size_t> steps;
    for (const RecallResult& result : results) {
        steps.push_back(result.first_at_95 > 0 ? result.first_at_95
                                               : std::numeric_limits<std::size_t>::max());
    }
    std::sort(steps.begin(), steps.end());
    const auto text = [](std::size_t n) {
        return n < std::numeric_limits<std::size_t>::max() ? std::to_string(n) : "never";
    };
    return steps.size() == 1 || text(steps.front()) == "never"
               ? text(steps.front())
               : text(steps.front()) + "/" + text(steps[steps.size() / 2]) + "/" +
                     text(steps.back());
}

std::vector<std::string> cells(const std::vector<RecallResult>& results, bool attends)
{
    const auto of = [&](double RecallResult::*number) {
        return spread(results, [&](const RecallResult& result) { return result.*number; });
    };
    return {std::to_string(results.front().n_parameters), of(&RecallResult::accuracy).text(3),
            steps_to_95(results),
            attends ? fixed(of(&RecallResult::right_weight).median(), 2) : "",
            attends ? fixed(of(&RecallResult::right_share).median(), 2) : ""};
}

void save_recall(Frame& frame, const char* file, const std::vector<RecallRow>& rows,
                 const Results& results)
{
    program::Results csv({"network"}, {{"rate", significant, 4},
                                       {"seed", significant, 10},
                                       {"accuracy", fixed, 4},
                                       {"after_600", fixed, 4},
                                       {"first_at_95", significant, 6},
                                       {"right_weight", fixed, 4},
                                       {"right_share", fixed, 4},
                                       {"largest_norm", significant, 4}});
    for (std::size_t row = 0; row < results.size(); ++row) {
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            const RecallResult& result = results[row][seed];
            csv.add({program::key_name(rows[row].name)},
                    {rows[row].training.learning_rate,
                     static_cast<double>(frame.options.seed + seed), result.accuracy,
                     result.accuracy_compared, static_cast<double>(result.first_at_95),
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

std::vector<RecallRow> recall_rows()
{
    std::vector<RecallRow> rows;
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        rows.push_back({name_of(unit), {{unit, Memory::none}}});
    }
    for (const Score score : {Score::mean, Score::root, Score::sum, Score::additive}) {
        rows.push_back({"RNN, attends, " + name_of(score), {with_score(score)}});
    }
    rows.push_back({"RNN, sum, key shown once", {with_score(Score::sum)}});
    rows.back().training.task.n_query_steps = 1;
    return rows;
}

/// Where a trained network finds what it answers.
void show_page_answers(Frame& frame, const std::vector<RecallAnswer>& answers)
{
    frame.terminal.introduce(
        "One sequence and each key",
        "The RNN with attention (score: the sum; first seed, 600 steps) has read six pairs and "
        "then one key, twice: a row each. A column is a remembered state, named by what it had "
        "just read; the numbers are the weights at the last step. Then the answer, and its "
        "probability. E is in none of the pairs.");
    std::vector<std::string> heads = {"key", "nothing"};
    heads.insert(heads.end(), page_pairs.begin(), page_pairs.end());
    heads.insert(heads.end(), {"answer", "probability"});
    program::Table table(heads);
    std::vector<std::string> keys, states;
    std::vector<double> weights;
    for (const RecallAnswer& answer : answers) {
        std::vector<std::string> line = {std::string(1, answer.key)};
        for (std::size_t j = 0; j < answer.weights.size(); ++j) {
            line.push_back(fixed(answer.weights[j], 2));
            keys.push_back(line.front());
            states.push_back(heads[j + 1]);
            weights.push_back(answer.weights[j]);
        }
        line.push_back(std::to_string(answer.said + 1));
        line.push_back(fixed(answer.probability, 2));
        table.row(line);
    }
    frame.terminal.table(table);
    program::CsvColumns csv; // keys and values as they are printed: A, A3
    csv.add("key", keys).add("state", states).add("weight", weights, fixed, 4);
    frame.files.write_csv("trained_recall_answers.csv", csv);
}

} // namespace

void show_recall(Frame& frame)
{
    const std::vector<RecallRow> rows = recall_rows();
    frame.terminal.introduce(
        "Associative recall",
        "Accuracy on 1000 new examples after 600 steps of 64 examples, and the steps to .95 "
        "(lowest, median and highest of three seeds). Weight: at the last step, the weight of "
        "the state that had just read the pair asked for. Largest: how often that weight is "
        "the largest (medians). States have 32 numbers.");
    const Results results = train_all(frame, rows, seeds_of(frame));
    program::Table table(
        {"network", "parameters", "accuracy", "steps to .95", "weight", "largest"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::string> line = cells(results[row], row > 2);
        line.insert(line.begin(), rows[row].name);
        table.row(line);
    }
    Generator generator(frame.options.seed, random::Stream::recall_test);
    const RecallTask task;
    const double rule = most_frequent_value(task, draw_recall(task, 1000, generator));
    table.row({"the value shown most often", "", fixed(rule, 3), "", "", ""});
    frame.terminal.table(table);
    save_recall(frame, "trained_recall.csv", rows, results);
    frame.files.write_csv("trained_recall_losses.csv",
                          program::first_losses_of(
                              {"lstm", "sum"}, {results[2][0].losses, results[5][0].losses}));
    show_page_answers(frame, results[5][0].answers);
}

void show_memories(Frame& frame)
{
    std::vector<RecallRow> rows;
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        for (const Memory memory : {Memory::own_states, Memory::inputs, Memory::states_below}) {
            if (unit == Unit::lstm && memory == Memory::states_below) {
                continue; // as the GRU's, and slow
            }
            const std::string name = name_of(unit) + ", " + name_of(memory);
            rows.push_back({name, {{unit, memory, ContextTo::input, Score::sum}}});
            if (unit == Unit::gru && memory == Memory::own_states) {
                rows.push_back({name + ", joined to the state",
                                {{unit, memory, ContextTo::state, Score::sum}}});
            }
        }
    }
    frame.terminal.introduce(
        "What is attended, and where the context goes",
        "The same task with the sum as score. Inputs and states below are of another kind "
        "than the state that asks, so a matrix that maps the one to the other is learnt. For "
        "RNN and LSTM it makes no difference whether the context is joined to the input or "
        "to the state; for the GRU both are shown.");
    const Results results = train_all(frame, rows, seeds_of(frame));
    program::Table table({"unit", "attended", "joined to", "parameters", "accuracy",
                          "steps to .95", "weight", "largest"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const CellOptions& cell = rows[row].training.cell;
        std::vector<std::string> line = cells(results[row], true);
        line.insert(line.begin(), {name_of(cell.unit), name_of(cell.memory),
                                   cell.unit != Unit::gru                ? "either"
                                   : cell.context_to == ContextTo::input ? "input"
                                                                         : "state"});
        table.row(line);
    }
    frame.terminal.table(table);
    save_recall(frame, "trained_memories.csv", rows, results);
}

void show_longer_recall(Frame& frame, std::size_t n_steps)
{
    std::vector<RecallRow> rows;
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        rows.push_back({name_of(unit), {{unit, Memory::none}}});
    }
    rows.push_back({"RNN, attends, mean", {with_score(Score::mean)}});
    rows.push_back({"GRU, own states, joined to the state",
                    {{Unit::gru, Memory::own_states, ContextTo::state, Score::sum}}});
    rows.push_back({"GRU, states below",
                    {{Unit::gru, Memory::states_below, ContextTo::input, Score::sum}}});
    rows.push_back({"LSTM, attends, sum",
                    {{Unit::lstm, Memory::own_states, ContextTo::input, Score::sum}}});
    for (RecallRow& row : rows) {
        row.training.n_steps = n_steps;
        row.training.enough = 0.99;
    }
    frame.terminal.introduce(
        "Trained longer",
        "Trained on until .99 of 500 other examples are right, for {} steps at most: accuracy "
        "on the 1000 examples after 600 steps and at the end, and the steps to .95 (lowest, "
        "median and highest of three seeds).",
        n_steps);
    const Results results = train_all(frame, rows, seeds_of(frame));
    const auto table_of = [&](std::initializer_list<std::size_t> shown) {
        program::Table table({"network", "after 600 steps", "at the end", "steps to .95"});
        for (const std::size_t row : shown) {
            const auto text = [&](double RecallResult::*number) {
                return spread(results[row],
                              [&](const RecallResult& result) { return result.*number; })
                    .text(3);
            };
            table.row({rows[row].name, text(&RecallResult::accuracy_compared),
                       text(&RecallResult::accuracy), steps_to_95(results[row])});
        }
        return table;
    };
    frame.terminal.table(table_of({0, 1, 2, 6}));
    frame.terminal.introduce(
        "Late with attention",
        "Trained on in the same way: accuracy after 600 steps and at the end, and the steps to "
        ".95. The score of the GRUs is the sum.");
    frame.terminal.table(table_of({3, 4, 5}));
    save_recall(frame, "trained_longer.csv", rows, results);
}

void show_recall_rates(Frame& frame, std::size_t n_steps)
{
    constexpr std::array<double, 5> rates = {5e-3, 1e-2, 2e-2, 5e-2, 1e-1};
    std::vector<RecallRow> rows; // [network][rate]
    for (const auto& [name, cell] :
         {std::pair<const char*, CellOptions>{"RNN", {Unit::rnn, Memory::none}},
          {"GRU", {Unit::gru, Memory::none}},
          {"LSTM", {Unit::lstm, Memory::none}},
          {"RNN, attends, sum", with_score(Score::sum)}}) {
        for (const double rate : rates) {
            rows.push_back({name, {cell}});
            rows.back().training.n_steps = n_steps;
            rows.back().training.enough = 0.99;
            rows.back().training.learning_rate = rate;
        }
    }
    frame.terminal.introduce(
        "Five learning rates",
        "The steps to .95 at five learning rates, with the first seed, of {} steps at most. "
        "All other tables of recall have the rate 0.005.",
        n_steps);
    const Results results = train_all(frame, rows, {frame.options.seed});
    program::Table table({"network", "0.005", "0.01", "0.02", "0.05", "0.1"});
    for (std::size_t row = 0; row < rows.size(); row += rates.size()) {
        std::vector<std::string> line = {rows[row].name};
        for (std::size_t i = 0; i < rates.size(); ++i) {
            line.push_back(steps_to_95(results[row + i]));
        }
        table.row(line);
    }
    frame.terminal.table(table);
    save_recall(frame, "trained_rates.csv", rows, results);
}

} // namespace attn::recurrent_attention
