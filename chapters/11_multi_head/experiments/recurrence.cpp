#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/tasks/recall.hpp"

#include <string>
#include <utility>
#include <vector>

namespace attn::multi_head {

namespace {

using program::fixed;
using program::Frame;
using program::Spread;

/// What a kind of layer came to, for the last table.
struct Verdict
{
    double recall = 0;           ///< median accuracy of the widest layer
    std::size_t recall_d = 0;    ///< numbers a position in this layer
    std::size_t recall_kept = 0; ///< numbers that it keeps
    double parity = 0; ///< median accuracy at the last position of the longest sequences
};

// ---------------------------------------------------------------- memory and state

/// How many numbers a model keeps of n positions that it has read, to go on from there: keys
/// and values of all of them, a matrix and a vector, or a state.
std::size_t numbers_kept(const SequenceOptions& options, std::size_t n)
{
    const std::size_t d = options.d;
    switch (options.mixer) {
    case Mixer::softmax:
        return 2 * n * d;
    case Mixer::linear:
        return d * d / options.n_heads + d;
    default:
        return d;
    }
}

/// Chapter 6's recall, six pairs of eight symbols, with states of several sizes: d = 2 to 32, a
/// GRU's to 128.
std::vector<NamedTraining> recall_trainings(Mixer mixer)
{
    constexpr std::size_t n_pairs = 6;
    std::vector<std::size_t> widths = {2, 4, 8, 16, 32};
    if (mixer == Mixer::gru) { // a state is small: it may be wider
        widths.insert(widths.end(), {64, 128});
    }
    std::vector<NamedTraining> trainings;
    for (const std::size_t d : widths) {
        SequenceTraining training{recall(n_kinds), {.mixer = mixer, .d = d, .d_embedding = 32}};
        training.shortest = training.longest = n_pairs + 1;
        training.batch = 64;
        training.learning_rate = 0.01;
        trainings.push_back({std::to_string(d), training});
    }
    return trainings;
}

void recall_and_state(Frame& frame, std::vector<Verdict>& verdicts)
{
    const std::vector<std::pair<std::string, Mixer>> mixers = {
        {"self-attention", Mixer::softmax},
        {"linear attention", Mixer::linear},
        {"GRU", Mixer::gru}};
    const tasks::RecallTask task{6, n_kinds, 1};
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
    program::Results saved(
        {"layer"},
        {{"kept", fixed, 0}, {"low", fixed, 4}, {"median", fixed, 4}, {"high", fixed, 4}});
    for (std::size_t kind = 0; kind < mixers.size(); ++kind) {
        const std::vector<NamedTraining> trainings = recall_trainings(mixers[kind].second);
        const std::size_t length = task.n_pairs + 1;
        const AllByPosition results =
            train_by_position(frame, mixers[kind].first.c_str(), trainings, length, 20);
        for (std::size_t row = 0; row < trainings.size(); ++row) {
            const Spread accuracy = at_position(results[row], length - 1);
            const std::size_t numbers =
                numbers_kept(trainings[row].training.options, task.n_pairs);
            table.row({mixers[kind].first, trainings[row].name, std::to_string(numbers),
                       accuracy.text(3)});
            saved.add({mixers[kind].first}, {static_cast<double>(numbers), accuracy.lowest(),
                                             accuracy.median(), accuracy.highest()});
            verdicts[kind].recall = accuracy.median();
            verdicts[kind].recall_d = trainings[row].training.options.d;
            verdicts[kind].recall_kept = numbers;
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_recall.csv", saved.columns());
}

// ---------------------------------------------------------------- parity

constexpr std::size_t parity_d = 16; // numbers a position

std::vector<NamedTraining> parity_trainings()
{
    const std::vector<std::pair<std::string, SequenceOptions>> all = {
        {"self-attention", {.mixer = Mixer::softmax, .positions = Positions::rotary}},
        {"linear attention", {.mixer = Mixer::linear, .positions = Positions::rotary}},
        {"GRU", {.mixer = Mixer::gru}}};
    std::vector<NamedTraining> trainings;
    for (const auto& [name, options] : all) {
        SequenceTraining training{parity(), options};
        training.options.d = parity_d;
        training.options.network_readout = true;
        training.shortest = 2;
        training.longest = trained_length;
        training.n_steps = 1000;
        trainings.push_back({name, training});
    }
    return trainings;
}

void parities(Frame& frame, std::vector<Verdict>& verdicts)
{
    const std::vector<NamedTraining> trainings = parity_trainings();
    frame.terminal.introduce(
        "What a state is for: parity",
        "Bits, and at each position the question whether the ones so far are odd in number. "
        "One "
        "layer of 16 numbers and a readout with a hidden layer learn from sequences of 2 to "
        "16 bits for 1000 steps, and are tested on 1000 sequences of 64. Attention has rotary "
        "positions. Accuracy: lowest, median, highest of three seeds. Chance is 0.5.");
    const AllByPosition results =
        train_by_position(frame, "parity", trainings, tested_length, 40);
    program::Table table({"layer", "2nd", "4th", "8th", "16th", "64th"});
    std::vector<std::string> names;
    verdicts.resize(trainings.size());
    for (std::size_t row = 0; row < trainings.size(); ++row) {
        std::vector<std::string> cells = {trainings[row].name};
        for (const std::size_t position : {2U, 4U, 8U, 16U, 64U}) {
            cells.push_back(at_position(results[row], position - 1).text(2));
        }
        table.row(cells);
        names.push_back(program::key_name(trainings[row].name));
        verdicts[row].parity = at_position(results[row], tested_length - 1).median();
    }
    frame.terminal.table(table);
    save_by_position(frame, "trained_parity.csv", names, results, 0);
}

void verdict(Frame& frame, const std::vector<Verdict>& verdicts)
{
    constexpr std::size_t d = 64;
    constexpr std::size_t n = 4096;
    frame.terminal.introduce(
        "Should recurrent networks be abandoned?",
        "The first three columns are costs, counted for layers of d = {} numbers and n = {} "
        "positions: steps that wait for each other in training, multiplications to write one "
        "position more, and the numbers kept for that. The other three are medians of three "
        "seeds: the accuracy of recall (d = {}, for the GRU {}), the numbers kept for it, and "
        "the accuracy of parity at the 64th position (d = {}).",
        d, n, verdicts.front().recall_d, verdicts.back().recall_d, parity_d);
    const std::vector<StepCost> steps = step_costs(n, d);
    const std::vector<std::string> waiting = {"1", "1 or n", "n"};
    const std::vector<std::size_t> order = {0, 2, 1}; // of step_costs: GRU before linear
    program::Table table({"layer", "waiting", "one position more", "kept", "recall",
                          "kept for recall", "parity"});
    for (std::size_t kind = 0; kind < verdicts.size(); ++kind) {
        const StepCost& step = steps[order[kind]];
        table.row({step.name, waiting[kind], std::to_string(step.multiplications),
                   std::to_string(step.kept), fixed(verdicts[kind].recall, 2),
                   std::to_string(verdicts[kind].recall_kept),
                   fixed(verdicts[kind].parity, 2)});
    }
    frame.terminal.table(table);
}

} // namespace

void show_recurrence(Frame& frame)
{
    std::vector<Verdict> verdicts; // of self-attention, linear attention and GRU
    recall_and_state(frame, verdicts);
    parities(frame, verdicts);
    verdict(frame, verdicts);
}

} // namespace attn::multi_head
