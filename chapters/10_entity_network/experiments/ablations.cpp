#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/autograd/tape.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::entity_network {

using program::Cell;
using program::fixed;
using program::Frame;
using program::ViewColumn;

namespace {

/// What the networks are called of which nothing is changed.
constexpr const char* unchanged_name = "unchanged";

struct Variant
{
    std::string name;
    EntityOptions options;
    bool task_1 = true; // what it is trained on
    bool task_2 = true;
};

/// What is changed: equation 5, the paper's phi, keys of the slots' own, and first embeddings of a
/// fifth of the size.
std::vector<Variant> variants()
{
    EntityOptions unnormalised;
    unnormalised.normalised = false;
    EntityOptions prelu;
    prelu.phi = Phi::prelu;
    EntityOptions unnormalised_prelu = prelu;
    unnormalised_prelu.normalised = false;
    EntityOptions wide_prelu = prelu;
    wide_prelu.d = 64;
    const auto free_keys = [](std::size_t n_slots) {
        EntityOptions options;
        options.keys = Keys::free;
        options.n_slots = n_slots;
        return options;
    };
    EntityOptions small;
    small.initial_sd = 0.1;
    return {{"tanh, no normalisation", unnormalised, true, false},
            {"PReLU", prelu},
            {"PReLU, no normalisation", unnormalised_prelu},
            {"PReLU, d = 64", wide_prelu, false},
            {"8 free keys", free_keys(8)},
            {"4 free keys", free_keys(4)},
            {"2 free keys", free_keys(2)},
            {"small embeddings", small}};
}

constexpr std::array<std::size_t, 3> ablation_lengths = {8, 16, 32};

struct Measured
{
    std::array<std::optional<double>, ablation_lengths.size()> right = {};
    std::optional<double> length = {}; // of the slots after 32 sentences
    std::optional<double> task_2 = {};
    std::optional<Matrix> opened = {}; // gates by person, of free keys in task 2
};

void measure_moves(Measured& measured, const EntityNetwork<float>& network, std::size_t n,
                   std::uint64_t seed)
{
    for (std::size_t k = 0; k < ablation_lengths.size(); ++k) {
        const auto stories = test_stories(Task::moves, n, ablation_lengths[k], seed);
        measured.right[k] = accuracy(network, stories);
        measured.length = mean_length(network, stories);
    }
}

void measure_carried(Measured& measured, const EntityNetwork<float>& network, std::size_t n,
                     std::uint64_t seed)
{
    const auto stories = test_stories(Task::carried, n, 8, seed);
    measured.task_2 = accuracy(network, stories);
    if (network.options().keys == Keys::free) {
        measured.opened = gates_by_person(network, stories);
    }
}

using Rows = std::vector<std::vector<Measured>>; // [n_rows][n_seeds]

/// All numbers that tables show, a row a variant and seed; nan of what was not trained.
program::Results results_of(const std::vector<std::string>& names, const Rows& rows)
{
    program::Results results({"variant"}, {},
                             {"task_1_8", "task_1_16", "task_1_32", "length", "task_2_8"});
    const auto number = [](const std::optional<double>& one) {
        return one.value_or(std::numeric_limits<double>::quiet_NaN());
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const Measured& one : rows[row]) {
            results.add({names[row]},
                        {number(one.right[0]), number(one.right[1]), number(one.right[2]),
                         number(one.length), number(one.task_2)});
        }
    }
    return results;
}

const ViewColumn task_1_8 = {"task 1, 8", "task_1_8", 3, Cell::spread};
const ViewColumn task_1_16 = {"task 1, 16", "task_1_16", 3, Cell::spread};
const ViewColumn task_1_32 = {"task 1, 32", "task_1_32", 3, Cell::spread};
const ViewColumn slot_length = {"length", "length", 1, Cell::spread};
const ViewColumn task_2_8 = {"task 2, 8", "task_2_8", 3, Cell::spread};

/// Some variants, each with its name in this table.
program::View view_of(const char* title, const std::map<std::string, std::string>& shown,
                      const std::vector<std::string>& variants,
                      const std::vector<ViewColumn>& columns)
{
    return {title, columns, variants, [shown](const std::string& name) {
                const auto found = shown.find(name);
                return found == shown.end() ? name : found->second;
            }};
}

void print_opened(program::Terminal& terminal, const Matrix& opened)
{
    std::vector<std::string> heads = {"slot"};
    heads.insert(heads.end(), vocabulary.begin(), vocabulary.begin() + n_persons);
    program::Table table(heads);
    for (std::size_t slot = 0; slot < opened.shape()[0]; ++slot) {
        std::vector<std::string> cells = {std::to_string(slot + 1)};
        for (std::size_t person = 0; person < n_persons; ++person) {
            cells.push_back(fixed(opened(slot, person), 2));
        }
        table.row(cells);
    }
    terminal.table(table);
}

void save(Frame& frame, const std::vector<std::string>& names, const Rows& rows,
          const std::vector<std::uint64_t>& seeds)
{
    program::Results right({"variant", "seed", "sentences"}, {{"right", fixed, 3}});
    program::Results lengths({"variant", "seed"}, {{"length", fixed, 2}});
    program::Results task_2({"variant", "seed"}, {{"right", fixed, 3}});
    program::Results opened({"variant", "seed", "slot", "person"}, {{"gate", fixed, 3}});
    program::CsvColumns curves;
    curves.add("sentences", ablation_lengths, fixed, 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string& name = names[row];
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const Measured& one = rows[row][i];
            const std::string seed = std::to_string(seeds[i]);
            for (std::size_t k = 0; one.length && k < ablation_lengths.size(); ++k) {
                right.add({name, seed, std::to_string(ablation_lengths[k])}, {*one.right[k]});
            }
            if (one.length) {
                lengths.add({name, seed}, {*one.length});
            }
            if (one.task_2) {
                task_2.add({name, seed}, {*one.task_2});
            }
            for (std::size_t at = 0; one.opened && at < one.opened->size(); ++at) {
                opened.add({name, seed, std::to_string(at / n_persons + 1),
                            std::string(vocabulary[at % n_persons])},
                           {one.opened->data()[at]});
            }
        }
        std::vector<program::Spread> spreads;
        for (std::size_t k = 0; rows[row][0].length && k < ablation_lengths.size(); ++k) {
            spreads.push_back(
                program::spread(rows[row], [&](const Measured& one) { return *one.right[k]; }));
        }
        if (!spreads.empty()) {
            curves.add_spreads(program::key_name(name), spreads, fixed, 3);
        }
    }
    frame.files.write_csv("trained_ablations.csv", right.columns());
    frame.files.write_csv("trained_ablation_slots.csv", lengths.columns());
    frame.files.write_csv("trained_ablation_task_2.csv", task_2.columns());
    frame.files.write_csv("trained_free_keys.csv", opened.columns());
    frame.files.write_csv("trained_ablation_lengths.csv", curves);
}

} // namespace

double mean_length(const EntityNetwork<float>& network, const std::vector<Story>& stories)
{
    const autograd::NoGradient<float> forwards;
    const Array<float> h = network.read(batch_of(stories)).slots.value();
    const std::size_t d = h.shape()[2];
    const std::size_t n_slots = h.size() / d;
    double sum = 0;
    for (std::size_t slot = 0; slot < n_slots; ++slot) {
        double squares = 0;
        for (std::size_t i = 0; i < d; ++i) {
            const auto x = static_cast<double>(h.data()[slot * d + i]);
            squares += x * x;
        }
        sum += std::sqrt(squares);
    }
    return sum / static_cast<double>(n_slots);
}

void show_ablations(Frame& frame, const TrainedNetworks& unchanged)
{
    const std::vector<Variant> changed = variants();
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const std::size_t n_steps = frame.options.quick ? 20 : 1000;
    const std::size_t n = frame.options.quick ? 50 : 1000;
    Rows rows = program::run_rows_with_seeds(
        frame, "changes", changed.size(), seeds, [&](std::size_t row, std::uint64_t seed) {
            const auto train_on = [&](Task task) {
                return train_entity_network(changed[row].options,
                                            {.task = task, .n_steps = n_steps, .seed = seed});
            };
            Measured measured;
            if (changed[row].task_1) {
                measure_moves(measured, train_on(Task::moves), n, seed);
            }
            if (changed[row].task_2) {
                measure_carried(measured, train_on(Task::carried), n, seed);
            }
            return measured;
        });
    rows.insert(rows.begin(), std::vector<Measured>(seeds.size()));
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        measure_moves(rows[0][i], unchanged.moves[i], n, seeds[i]);
        measure_carried(rows[0][i], unchanged.carried[i], n, seeds[i]);
    }
    std::vector<std::string> names = {unchanged_name};
    for (const Variant& variant : changed) {
        names.push_back(variant.name);
    }
    const program::Results results = results_of(names, rows);
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "With and without equation 5",
        "Learnt in {} steps from stories of 8 sentences. Share of {} other "
        "stories of 8, 16 and 32 sentences that are answered right, and the "
        "mean length of a slot after 32. Lowest, median and highest of {} seeds; "
        "- was not trained.",
        n_steps, n, seeds.size());
    terminal.table(results.table(
        view_of("", {{unchanged_name, "tanh"}},
                {unchanged_name, "tanh, no normalisation", "PReLU", "PReLU, no normalisation"},
                {task_1_8, task_1_16, task_1_32, slot_length, task_2_8})));
    terminal.introduce("How many slots",
                       "The same trainings and shares. There are four persons.");
    terminal.table(
        results.table(view_of("", {{unchanged_name, "4 persons as keys"}},
                              {unchanged_name, "8 free keys", "4 free keys", "2 free keys"},
                              {task_1_8, task_1_32, task_2_8})));
    const auto opened = [&](const std::string& name) {
        const auto at = std::find(names.begin(), names.end(), name) - names.begin();
        return *rows.at(static_cast<std::size_t>(at))[0].opened;
    };
    terminal.introduce(
        "Whose slot is it?",
        "Four free keys, the first seed, task 2: the mean gate of each slot at the "
        "sentences about each person.");
    print_opened(terminal, opened("4 free keys"));
    terminal.introduce("Whose slot is it with eight?", "The same with eight free keys.");
    print_opened(terminal, opened("8 free keys"));
    terminal.introduce("Another phi", "The same trainings and shares.");
    terminal.table(results.table(
        view_of("", {{unchanged_name, "tanh, d = 32"}, {"PReLU", "PReLU, d = 32"}},
                {unchanged_name, "PReLU", "PReLU, d = 64"}, {task_2_8})));
    terminal.introduce("Smaller first embeddings",
                       "The same trainings and shares; the standard deviation of the entries.");
    terminal.table(results.table(
        view_of("embeddings", {{unchanged_name, "0.5"}, {"small embeddings", "0.1"}},
                {unchanged_name, "small embeddings"}, {task_1_8, task_2_8})));
    save(frame, names, rows, seeds);
}

} // namespace attn::entity_network
