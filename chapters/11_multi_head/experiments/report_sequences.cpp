/// \file
/// \brief Longer than trained, recall against what is kept, parity, and the verdict on recurrence.
#include "chapters/11_multi_head/experiments/costs.hpp"
#include "chapters/11_multi_head/experiments/facts.hpp"
#include "chapters/11_multi_head/experiments/report.hpp"
#include "chapters/11_multi_head/experiments/sequence_trainings.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tasks/recall.hpp"

#include <functional>

namespace attn::multi_head::report {

namespace {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::significant;
using program::Spread;

/// What a training gave at each position of test sequences, and its losses.
struct ByPosition
{
    std::vector<double> accuracy; // [length]
    std::vector<double> losses;
    Vector by_distance = {}; // [length], weights_by_distance, where they are wanted
};

using AllByPosition = std::vector<std::vector<ByPosition>>; // [row][seed]

/// What else is measured of a trained model.
using Measure = std::function<void(const SequenceTraining&, const SequenceModel&,
                                   std::uint64_t seed, ByPosition&)>;

AllByPosition train_all(const Frame& frame, const char* label,
                        const std::vector<NamedTraining>& trainings, std::size_t length,
                        std::size_t quick_steps, const Measure& measure = {})
{
    const auto run = [&](std::size_t row, std::uint64_t seed) {
        SequenceTraining training = trainings[row].training;
        training.n_steps = frame.options.quick ? quick_steps : training.n_steps;
        const TrainedSequence trained = train_sequence(training, seed);
        const Matrix right =
            accuracy_by_position(trained.model, training.task, length, 1000, seed);
        ByPosition result = {{right.begin(), right.end()}, trained.losses};
        if (measure) {
            measure(training, trained.model, seed, result);
        }
        return result;
    };
    return program::run_rows_with_seeds(frame, label, trainings.size(), seeds_of(frame), run);
}

Spread at_position(const std::vector<ByPosition>& of, std::size_t position)
{
    return program::spread(of, [&](const ByPosition& one) { return one.accuracy[position]; });
}

Spread weight_back(const std::vector<ByPosition>& of, std::size_t back)
{
    return program::spread(of, [&](const ByPosition& one) { return one.by_distance(back); });
}

/// Medians and extremes by position, a column a row of the table.
void save_by_position(Frame& frame, const char* file, const std::vector<std::string>& names,
                      const AllByPosition& results, std::size_t first)
{
    program::CsvColumns columns;
    std::vector<double> positions;
    for (std::size_t position = first; position < tested_length; ++position) {
        positions.push_back(static_cast<double>(position + 1));
    }
    columns.add("place", positions, fixed, 0);
    for (std::size_t row = 0; row < results.size(); ++row) {
        std::vector<double> low;
        std::vector<double> middle;
        for (std::size_t position = first; position < tested_length; ++position) {
            low.push_back(at_position(results[row], position).lowest());
            middle.push_back(at_position(results[row], position).median());
        }
        columns.add(names[row], middle, fixed, 4).add(names[row] + "_low", low, fixed, 4);
    }
    frame.files.write_csv(file, columns);
}

} // namespace

// ---------------------------------------------------------------- positions

namespace {

/// What the 64th position of rotary models attends to, and how like the one before the keys there
/// are.
void show_weights_back(Frame& frame, const std::vector<ByPosition>& rotary)
{
    constexpr std::size_t d = 32;
    constexpr std::size_t n_fast = 3;
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Where the 64th place of the rotary layers looks: the mean weight on the key so many "
        "places back, on 200 sequences; median of the seeds. Below it how nearly the {} "
        "fastest "
        "pairs of that key stand as those of the key one place back: the mean cosine of the "
        "angles between them.",
        n_fast));
    frame.terminal.line();
    program::Table table(
        {"places back", "1", "2", "3", "13", "33", "45", "56", "57", "58", "59"});
    std::vector<std::string> weights = {"weight"};
    std::vector<std::string> likeness = {"fast pairs"};
    for (const std::size_t back : {1U, 2U, 3U, 13U, 33U, 45U, 56U, 57U, 58U, 59U}) {
        weights.push_back(fixed(weight_back(rotary, back).median(), 2));
        likeness.push_back(fixed(likeness_to_the_one_before(d, n_fast, back), 2));
    }
    table.row(weights);
    table.row(likeness);
    frame.terminal.table(table);
    program::CsvRows csv({{"back", fixed, 0}, {"rotary", fixed, 4}, {"rotary_low", fixed, 4}});
    for (std::size_t back = 0; back < tested_length; ++back) {
        const Spread weight = weight_back(rotary, back);
        csv.add({static_cast<double>(back), weight.median(), weight.lowest()});
    }
    frame.files.write_csv("trained_place_looks.csv", csv.columns());
}

} // namespace

void positions(Frame& frame)
{
    const std::vector<NamedTraining> trainings = position_trainings();
    frame.terminal.introduce(
        "Longer than trained: which symbol stood before?",
        "One causal head of 32 numbers learns from sequences of 2 to 16 symbols of eight "
        "kinds to name the symbol before, and is tested on 1000 sequences of 64. Accuracy at "
        "some places: lowest, median, highest of three seeds. Learnt rows beyond place 16 "
        "are as they were drawn. Chance is 0.125.");
    const AllByPosition results =
        train_all(frame, "places", trainings, tested_length, 40,
                  [](const SequenceTraining& training, const SequenceModel& model,
                     std::uint64_t seed, ByPosition& result) {
                      result.by_distance =
                          weights_by_distance(model, training.task, tested_length, seed);
                  });
    program::Table table({"places", "16th", "17th", "24th", "32nd", "64th"});
    std::vector<std::string> names;
    for (std::size_t row = 0; row < trainings.size(); ++row) {
        std::vector<std::string> cells = {trainings[row].name};
        for (const std::size_t position : {16U, 17U, 24U, 32U, 64U}) {
            cells.push_back(at_position(results[row], position - 1).text(2));
        }
        table.row(cells);
        names.push_back(trainings[row].name);
    }
    frame.terminal.table(table);
    save_by_position(frame, "trained_places.csv", names, results, 1);
    show_weights_back(frame, results.back());
    frame.files.write_csv(
        "trained_place_losses.csv",
        program::CsvColumns().add("rotary", program::first_losses(results.back()[0].losses),
                                  significant, 6));
}

// ---------------------------------------------------------------- memory and state

void recall_and_state(Frame& frame, std::vector<Verdict>& verdicts)
{
    const std::vector<std::pair<std::string, Mixer>> mixers = {
        {"self-attention", Mixer::softmax},
        {"linear attention", Mixer::linear},
        {"GRU", Mixer::gru}};
    const tasks::RecallTask task{6, n_symbols, 1};
    random::Generator generator(frame.options.seed);
    frame.terminal.introduce(
        "Recall against what is kept",
        "Chapter 6's recall: six pairs of a key and a value, each of eight symbols, then "
        "a key. One layer of d numbers, 600 steps of 64 examples. Kept: the numbers that "
        "must be at hand when the question comes, keys and values of six pairs, a matrix "
        "and a vector, or a state. Accuracy on 1000 new examples: lowest, median, "
        "highest of three seeds. Naming the value shown most often has {}, chance 0.125.",
        fixed(most_frequent_value(task, draw_recall(task, 1000, generator)), 3));
    verdicts.resize(mixers.size());
    program::Table table({"layer", "d", "kept", "accuracy"});
    program::CsvRows csv({{"kind", fixed, 0},
                          {"kept", fixed, 0},
                          {"low", fixed, 4},
                          {"median", fixed, 4},
                          {"high", fixed, 4}});
    for (std::size_t kind = 0; kind < mixers.size(); ++kind) {
        const std::vector<NamedTraining> trainings = recall_trainings(mixers[kind].second);
        const std::size_t length = task.n_pairs + 1;
        const AllByPosition results =
            train_all(frame, mixers[kind].first.c_str(), trainings, length, 20);
        for (std::size_t row = 0; row < trainings.size(); ++row) {
            const Spread accuracy = at_position(results[row], length - 1);
            const std::size_t numbers =
                numbers_kept(trainings[row].training.options, task.n_pairs);
            table.row({mixers[kind].first, trainings[row].name, std::to_string(numbers),
                       accuracy.text(3)});
            csv.add({static_cast<double>(kind), static_cast<double>(numbers), accuracy.lowest(),
                     accuracy.median(), accuracy.highest()});
            verdicts[kind].recall = accuracy.median();
            verdicts[kind].recall_kept = numbers;
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_recall.csv", csv.columns());
}

// ---------------------------------------------------------------- parity

void parities(Frame& frame, std::vector<Verdict>& verdicts)
{
    const std::vector<NamedTraining> trainings = parity_trainings();
    frame.terminal.introduce(
        "What a state is for: parity",
        "Bits, and at each place the question whether the ones so far are odd in number. One "
        "layer of 16 numbers and a readout with a hidden layer learn from sequences of 2 to "
        "16 bits for 1000 steps, and are tested on 1000 sequences of 64. Attention has rotary "
        "places. Accuracy: lowest, median, highest of three seeds. Chance is 0.5.");
    const AllByPosition results = train_all(frame, "parity", trainings, tested_length, 40);
    program::Table table({"layer", "2nd", "4th", "8th", "16th", "64th"});
    std::vector<std::string> names;
    verdicts.resize(trainings.size());
    for (std::size_t row = 0; row < trainings.size(); ++row) {
        std::vector<std::string> cells = {trainings[row].name};
        for (const std::size_t position : {2U, 4U, 8U, 16U, 64U}) {
            cells.push_back(at_position(results[row], position - 1).text(2));
        }
        table.row(cells);
        names.push_back("kind_" + std::to_string(row));
        verdicts[row].parity = at_position(results[row], tested_length - 1).median();
    }
    frame.terminal.table(table);
    save_by_position(frame, "trained_parity.csv", names, results, 0);
}

void verdict(Frame& frame, const std::vector<Verdict>& verdicts)
{
    constexpr std::size_t d = 64;
    frame.terminal.introduce(
        "Should recurrent networks be abandoned?",
        "For d = 64 and n = 4096 places, from the counts above: steps that wait for each other "
        "in training, multiplications to write one place more, and the numbers that must be "
        "kept for that. Then medians: of recall by the widest layers above, with the numbers "
        "that these keep of six pairs, and of parity at the 64th place.");
    const std::vector<StepCost> steps = step_costs(4096, d);
    const std::vector<std::string> waiting = {"1", "1 or n", "n"};
    const std::vector<std::size_t> order = {0, 2, 1}; // of step_costs: GRU before linear
    program::Table table(
        {"layer", "waiting", "one place more", "kept", "recall", "kept for recall", "parity"});
    for (std::size_t kind = 0; kind < verdicts.size(); ++kind) {
        const StepCost& step = steps[order[kind]];
        table.row({step.name, waiting[kind], std::to_string(step.multiplications),
                   std::to_string(step.kept), fixed(verdicts[kind].recall, 2),
                   std::to_string(verdicts[kind].recall_kept),
                   fixed(verdicts[kind].parity, 2)});
    }
    frame.terminal.table(table);
}

} // namespace attn::multi_head::report
