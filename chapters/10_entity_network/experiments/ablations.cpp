#include "chapters/10_entity_network/experiments/ablations.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace attn::entity_network {

using program::fixed;
using program::Frame;

namespace {

struct Variant
{
    std::string name;
    EntityOptions options;
};

std::vector<Variant> variants()
{
    EntityOptions unnormalised;
    unnormalised.normalised = false;
    EntityOptions eight_free;
    eight_free.keys = Keys::free;
    eight_free.n_slots = 8;
    EntityOptions two_free = eight_free;
    two_free.n_slots = 2;
    EntityOptions prelu;
    prelu.phi = Phi::prelu;
    EntityOptions unnormalised_prelu = prelu;
    unnormalised_prelu.normalised = false;
    EntityOptions wide_prelu = prelu;
    wide_prelu.d = 64;
    EntityOptions small;
    small.initial_sd = 0.1;
    return {{"as above", {}},
            {"no normalisation", unnormalised},
            {"PReLU", prelu},
            {"PReLU, no normalisation", unnormalised_prelu},
            {"PReLU, d = 64", wide_prelu},
            {"8 free keys", eight_free},
            {"2 free keys", two_free},
            {"embeddings of .1", small}};
}

constexpr std::array<std::size_t, 3> ablation_lengths = {8, 16, 32};

struct Measured
{
    std::array<double, ablation_lengths.size()> right = {};
    double length = 0; // of the slots after 32 sentences
    double task_2 = 0;
};

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

void show_ablations(Frame& frame)
{
    const std::vector<Variant> rows = variants();
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const std::size_t n_steps = frame.options.quick ? 10 : 1000;
    const std::size_t n = frame.options.quick ? 50 : 1000;
    const auto results = program::run_rows_with_seeds(
        frame, "changes", rows.size(), seeds, [&](std::size_t row, std::uint64_t seed) {
            const auto network =
                train_entity_network(rows[row].options, {.n_steps = n_steps, .seed = seed});
            Measured measured;
            for (std::size_t k = 0; k < ablation_lengths.size(); ++k) {
                const auto stories = test_stories(Task::moves, n, ablation_lengths[k], seed);
                measured.right[k] = accuracy(network, stories);
                measured.length = mean_length(network, stories);
            }
            measured.task_2 = accuracy(
                train_entity_network(rows[row].options,
                                     {.task = Task::carried, .n_steps = n_steps, .seed = seed}),
                test_stories(Task::carried, n, 8, seed));
            return measured;
        });
    frame.terminal.introduce("One part changed",
                             "Tasks 1 and 2, learnt in {} steps from stories of 8 sentences: "
                             "share of {} other stories of each "
                             "length that are answered right, and how long a slot is after the "
                             "32 sentences. Lowest, median and "
                             "highest of {} seeds.",
                             n_steps, n, seeds.size());
    program::Table table({"", "task 1, 8", "task 1, 16", "task 1, 32", "length", "task 2, 8"});
    program::CsvRows csv({{"row", program::fixed, 0},
                          {"seed", program::fixed, 0},
                          {"sentences", program::fixed, 0},
                          {"right", program::fixed, 3},
                          {"length", program::fixed, 2},
                          {"task_2", program::fixed, 3}});
    program::CsvColumns curves;
    curves.add("sentences", ablation_lengths, program::fixed, 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::string> cells = {rows[row].name};
        std::vector<program::Spread> spreads;
        for (std::size_t k = 0; k < ablation_lengths.size(); ++k) {
            spreads.push_back(program::spread(
                results[row], [&](const Measured& one) { return one.right[k]; }));
            cells.push_back(spreads.back().text(3));
            for (std::size_t i = 0; i < seeds.size(); ++i) {
                csv.add({static_cast<double>(row), static_cast<double>(seeds[i]),
                         static_cast<double>(ablation_lengths[k]), results[row][i].right[k],
                         results[row][i].length, results[row][i].task_2});
            }
        }
        cells.push_back(program::spread(results[row], [](const Measured& one) {
                            return one.length;
                        }).text(1));
        cells.push_back(program::spread(results[row], [](const Measured& one) {
                            return one.task_2;
                        }).text(3));
        table.row(cells);
        curves.add_spreads(fmt::format("row_{}", row), spreads, program::fixed, 3);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_ablations.csv", csv.columns());
    frame.files.write_csv("trained_ablation_lengths.csv", curves);
}

} // namespace attn::entity_network
