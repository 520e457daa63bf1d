#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/autograd/tape.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::entity_network {

using program::fixed;
using program::Frame;

namespace {

/// What is changed, by the rows of the files that are saved.
enum class AblationRow : std::size_t
{
    none,
    unnormalised,       // no equation 5
    prelu,              // the paper's phi
    unnormalised_prelu, // and no equation 5
    wide_prelu,         // and twice as many numbers a slot
    eight_free,         // eight slots with keys of their own
    four_free,
    two_free,
    small // first embeddings of a fifth of the size
};

struct Variant
{
    std::string name;
    EntityOptions options;
    bool task_1 = true; // what it is trained on
    bool task_2 = true;
};

/// In the order of AblationRow, without the first, whose networks are there already.
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
            {"0.1", small}};
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

/// A column of a table.
struct Column
{
    const char* head;
    std::optional<double> (*number)(const Measured&);
    int digits = 3;
};

const Column task_1_8 = {"task 1, 8", [](const Measured& one) { return one.right[0]; }};
const Column task_1_16 = {"task 1, 16", [](const Measured& one) { return one.right[1]; }};
const Column task_1_32 = {"task 1, 32", [](const Measured& one) { return one.right[2]; }};
const Column slot_length = {"length", [](const Measured& one) { return one.length; }, 1};
const Column task_2_8 = {"task 2, 8", [](const Measured& one) { return one.task_2; }};

/// One row for each of some variants: lowest, median and highest of the seeds.
void print_rows(program::Terminal& terminal, const char* first_head, const Rows& results,
                const std::vector<std::pair<AblationRow, std::string>>& rows,
                const std::vector<Column>& columns)
{
    std::vector<std::string> heads = {first_head};
    for (const Column& column : columns) {
        heads.emplace_back(column.head);
    }
    program::Table table(heads);
    for (const auto& [row, name] : rows) {
        std::vector<std::string> cells = {name};
        for (const Column& column : columns) {
            const std::vector<Measured>& seeds = results.at(static_cast<std::size_t>(row));
            cells.push_back(
                column.number(seeds.front())
                    ? program::spread(seeds,
                                      [&](const Measured& one) { return *column.number(one); })
                          .text(column.digits)
                    : "-");
        }
        table.row(cells);
    }
    terminal.table(table);
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

void save(Frame& frame, const Rows& results, const std::vector<std::uint64_t>& seeds)
{
    program::CsvRows csv(
        {{"row", fixed, 0}, {"seed", fixed, 0}, {"sentences", fixed, 0}, {"right", fixed, 3}});
    program::CsvRows lengths({{"row", fixed, 0}, {"seed", fixed, 0}, {"length", fixed, 2}});
    program::CsvRows task_2({{"row", fixed, 0}, {"seed", fixed, 0}, {"right", fixed, 3}});
    program::CsvRows opened({{"row", fixed, 0},
                             {"seed", fixed, 0},
                             {"slot", fixed, 0},
                             {"person", fixed, 0},
                             {"gate", fixed, 3}});
    program::CsvColumns curves;
    curves.add("sentences", ablation_lengths, fixed, 0);
    for (std::size_t row = 0; row < results.size(); ++row) {
        const auto r = static_cast<double>(row);
        std::vector<program::Spread> spreads;
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const Measured& one = results[row][i];
            const auto seed = static_cast<double>(seeds[i]);
            for (std::size_t k = 0; one.length && k < ablation_lengths.size(); ++k) {
                csv.add({r, seed, static_cast<double>(ablation_lengths[k]), *one.right[k]});
            }
            if (one.length) {
                lengths.add({r, seed, *one.length});
            }
            if (one.task_2) {
                task_2.add({r, seed, *one.task_2});
            }
            for (std::size_t at = 0; one.opened && at < one.opened->size(); ++at) {
                opened.add({r, seed, static_cast<double>(at / n_persons + 1),
                            static_cast<double>(at % n_persons + 1), one.opened->data()[at]});
            }
        }
        for (std::size_t k = 0; results[row][0].length && k < ablation_lengths.size(); ++k) {
            spreads.push_back(program::spread(
                results[row], [&](const Measured& one) { return *one.right[k]; }));
        }
        if (!spreads.empty()) {
            curves.add_spreads(fmt::format("row_{}", row), spreads, fixed, 3);
        }
    }
    frame.files.write_csv("trained_ablations.csv", csv.columns());
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
    Rows results = program::run_rows_with_seeds(
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
    results.insert(results.begin(), std::vector<Measured>(seeds.size()));
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        measure_moves(results[0][i], unchanged.moves[i], n, seeds[i]);
        measure_carried(results[0][i], unchanged.carried[i], n, seeds[i]);
    }
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "With and without equation 5",
        "Learnt in {} steps from stories of 8 sentences. Share of {} other "
        "stories of 8, 16 and 32 sentences that are answered right, and the "
        "mean length of a slot after 32. Lowest, median and highest of {} seeds; "
        "- was not trained.",
        n_steps, n, seeds.size());
    print_rows(terminal, "", results,
               {{AblationRow::none, "tanh"},
                {AblationRow::unnormalised, "tanh, no normalisation"},
                {AblationRow::prelu, "PReLU"},
                {AblationRow::unnormalised_prelu, "PReLU, no normalisation"}},
               {task_1_8, task_1_16, task_1_32, slot_length, task_2_8});
    terminal.introduce("How many slots",
                       "The same trainings and shares. There are four persons.");
    print_rows(terminal, "", results,
               {{AblationRow::none, "4 persons as keys"},
                {AblationRow::eight_free, "8 free keys"},
                {AblationRow::four_free, "4 free keys"},
                {AblationRow::two_free, "2 free keys"}},
               {task_1_8, task_1_32, task_2_8});
    const auto opened = [&](AblationRow row) {
        return *results[static_cast<std::size_t>(row)][0].opened;
    };
    terminal.introduce(
        "Whose slot is it?",
        "Four free keys, the first seed, task 2: the mean gate of each slot at the "
        "sentences about each person.");
    print_opened(terminal, opened(AblationRow::four_free));
    terminal.introduce("Whose slot is it with eight?", "The same with eight free keys.");
    print_opened(terminal, opened(AblationRow::eight_free));
    terminal.introduce("Another phi", "The same trainings and shares.");
    print_rows(terminal, "", results,
               {{AblationRow::none, "tanh, d = 32"},
                {AblationRow::prelu, "PReLU, d = 32"},
                {AblationRow::wide_prelu, "PReLU, d = 64"}},
               {task_2_8});
    terminal.introduce("Smaller first embeddings",
                       "The same trainings and shares; the standard deviation of the entries.");
    print_rows(terminal, "embeddings", results,
               {{AblationRow::none, "0.5"}, {AblationRow::small, "0.1"}}, {task_1_8, task_2_8});
    save(frame, results, seeds);
}

} // namespace attn::entity_network
