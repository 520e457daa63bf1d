#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/autograd/tape.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/heat_map.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::pointer_network {

using program::Cell;
using program::fixed;
using program::Frame;

namespace {

/// Tables are too narrow for all lengths.
bool is_printed(std::size_t n)
{
    return n == 8 || n == 16 || n == 24;
}

} // namespace

std::vector<Sorter> all_sorters()
{
    const PointerOptions paper_score{.n_features = 1};
    PointerOptions dot = paper_score;
    dot.score = Score::scaled_dot;
    PointerOptions lstm = paper_score;
    lstm.encoder = ListEncoder::lstm;
    PointerOptions unmasked = paper_score;
    unmasked.mask = Mask::none;
    return {{"set encoder, additive", paper_score},
            {"set encoder, scaled dot", dot},
            {"LSTM encoder, additive", lstm},
            {"set encoder, no mask", unmasked},
            {"no mask, ten times the steps", unmasked, 6000},
            {"only 20 steps of training", paper_score, 20}};
}

PointerNetwork<float> train_sorter(const Sorter& sorter, std::size_t n_steps,
                                   std::uint64_t seed)
{
    return train(sorter.options,
                 [](random::Generator& generator) {
                     const std::size_t n = 4 + generator.below(5);
                     return draw_sorting(batch_size, n, generator);
                 },
                 {.n_steps = n_steps, .seed = seed});
}

SortingResult measure_sorting(const PointerNetwork<float>& network, std::size_t n_lists,
                              std::uint64_t seed)
{
    const autograd::NoGradient<float> forwards;
    SortingResult result;
    result.n_parameters = network.parameters().n_numbers();
    for (std::size_t k = 0; k < sorted_lengths.size(); ++k) {
        random::Generator generator(seed, random::Stream::sorting_test, k);
        const std::size_t n = sorted_lengths[k];
        const PointingBatch batch = draw_sorting(n_lists, n, generator);
        const Pointed pointed = network.point(batch.elements);
        double right = 0;
        double first_right = 0;
        double by_first = 0;
        const Array<float> scores = network.scores(batch).value(); // [n_lists, n_steps, n]
        for (std::size_t list = 0; list < n_lists; ++list) {
            const Order& answer = pointed.positions[list];
            const auto wanted = batch.targets.begin() + static_cast<std::ptrdiff_t>(list * n);
            right += std::equal(answer.begin(), answer.end(), wanted) ? 1 : 0;
            first_right += static_cast<std::int64_t>(answer.front()) == *wanted ? 1 : 0;
            const float* const u = scores.data() + list * n * n; // of the first step
            // Two equal scores do not say which comes first.
            by_first += std::adjacent_find(wanted, wanted + static_cast<std::ptrdiff_t>(n),
                                           [u](std::int64_t a, std::int64_t b) {
                                               return !(u[a] > u[b]);
                                           }) == wanted + static_cast<std::ptrdiff_t>(n)
                            ? 1
                            : 0;
        }
        result.right[k] = right / static_cast<double>(n_lists);
        result.by_first[k] = by_first / static_cast<double>(n_lists);
        result.first_right[k] = first_right / static_cast<double>(n_lists);
    }
    return result;
}

namespace {

/// The weights of each step on one list of eight, its elements in their right order.
void show_weights(Frame& frame, const PointerNetwork<float>& network)
{
    random::Generator generator(frame.options.seed, random::Stream::shown_list);
    const std::size_t n = 8;
    const PointingBatch batch = draw_sorting(1, n, generator);
    const Pointed pointed = network.point(batch.elements, n, true);
    program::CsvRows csv({{"step", fixed, 0},
                          {"element", fixed, 0},
                          {"number", fixed, 3},
                          {"weight", fixed, 4}});
    Matrix weights = xt::zeros<double>({n, n});
    std::string numbers;
    for (std::size_t j = 0; j < n; ++j) {
        const auto position = static_cast<std::size_t>(batch.targets[j]);
        const double number = static_cast<double>(batch.elements(0, position, 0));
        numbers += (j == 0 ? "" : ", ") + fixed(number, 3);
        for (std::size_t step = 0; step < n; ++step) {
            weights(step, j) = static_cast<double>(pointed.weights[step](0, 0, position));
            csv.add({static_cast<double>(step + 1), static_cast<double>(j + 1), number,
                     weights(step, j)});
        }
    }
    frame.terminal.introduce(
        "The weights are the answer",
        "Steps down, the elements of one list across, from the smallest to the largest: {}.",
        numbers);
    frame.terminal.heat_map({weights, {}, "step", "element", {}});
    frame.files.write_csv("trained_pointer_weights.csv", csv.columns());
}

/// The shares by length, what the figure draws: lowest, median and highest of the seeds.
void save_curves(Frame& frame, const program::Results& results)
{
    program::CsvColumns curves;
    curves.add("n", sorted_lengths, fixed, 0);
    for (const std::string& name : results.names()) {
        std::vector<program::Spread> spreads;
        for (const std::size_t n : sorted_lengths) {
            spreads.push_back(results.spread_of(name, fmt::format("right_{}", n)));
        }
        curves.add_spreads(program::key_name(name), spreads, fixed, 3);
    }
    frame.files.write_csv("trained_sorting_lengths.csv", curves);
}

} // namespace

void show_answers(Frame& frame)
{
    frame.terminal.introduce(
        "How many answers there are",
        "Ways in which n steps can point at n elements: at any element at each step; and only "
        "at what is left. Then the probability that random pointers without a mask point at "
        "every "
        "element once.");
    program::Table table({"n", "without a mask", "with a mask", "probability"});
    for (const std::size_t n : std::array<std::size_t, 4>{3, 5, 8, 16}) {
        double any = 1;
        double left = 1;
        for (std::size_t i = 1; i <= n; ++i) {
            any *= static_cast<double>(n);
            left *= static_cast<double>(i);
        }
        table.row({std::to_string(n), program::significant(any, 3),
                   program::significant(left, 3), program::significant(left / any, 2)});
    }
    frame.terminal.table(table);
}

void show_sorting(Frame& frame)
{
    const bool quick = frame.options.quick;
    const std::vector<Sorter> sorters = all_sorters();
    const auto networks = program::run_rows_with_seeds(
        frame, "sorting", sorters.size(), program::seeds_of(frame),
        [&](std::size_t row, std::uint64_t seed) {
            return train_sorter(sorters[row], quick ? 20 : sorters[row].n_steps, seed);
        });
    frame.terminal.introduce(
        "Sorting",
        "Networks learn to sort lists of 4 to 8 numbers, in {} steps of {} lists. Share of {} "
        "other lists of 8 and of 24 numbers that come out without a mistake: the median of {} "
        "seeds.",
        quick ? 20 : 600, batch_size, quick ? 50 : 1000, networks[0].size());
    std::vector<program::CsvColumn> columns = {{"seed", fixed, 0}};
    std::vector<program::ViewColumn> by_steps = {{"parameters", "parameters", 0}};
    std::vector<program::ViewColumn> by_first;
    for (const std::size_t n : sorted_lengths) {
        columns.push_back({fmt::format("right_{}", n), fixed, 3});
        columns.push_back({fmt::format("by_first_{}", n), fixed, 3});
        if (is_printed(n)) {
            const std::string head = fmt::format("{} numbers", n);
            by_steps.push_back({head, fmt::format("right_{}", n), 3, Cell::spread});
            by_first.push_back({head, fmt::format("by_first_{}", n), 3, Cell::spread});
        }
    }
    columns.push_back({"first_right_8", fixed, 3});
    program::Results results({"network"}, columns, {"parameters"});
    std::vector<std::string> masked;
    for (std::size_t row = 0; row < sorters.size(); ++row) {
        for (std::size_t i = 0; i < networks[row].size(); ++i) {
            const std::uint64_t seed = frame.options.seed + i;
            const SortingResult one =
                measure_sorting(networks[row][i], quick ? 50 : 1000, seed);
            std::vector<double> cells = {static_cast<double>(seed)};
            for (std::size_t k = 0; k < sorted_lengths.size(); ++k) {
                cells.insert(cells.end(), {one.right[k], one.by_first[k]});
            }
            cells.insert(cells.end(),
                         {one.first_right[1], static_cast<double>(one.n_parameters)});
            results.add({sorters[row].name}, cells);
        }
        if (sorters[row].options.mask == Mask::chosen) {
            masked.push_back(sorters[row].name);
        }
    }
    frame.terminal.table(results.table(
        {"network", {{"8 numbers", "right_8", 3}, {"24 numbers", "right_24", 3}}}));
    frame.terminal.introduce(
        "One score an element",
        "The same networks that mask. Share of the lists of 24 numbers that come out without a "
        "mistake: pointed at step by step, and arranged by the scores of the first step alone. "
        "Medians.");
    frame.terminal.table(
        results.table({"network",
                       {{"all steps", "right_24", 3}, {"first step alone", "by_first_24", 3}},
                       masked}));
    frame.terminal.introduce("Sorting, every seed",
                             "The same shares: lowest, median and highest of the seeds.");
    frame.terminal.table(results.table({"network", by_steps}));
    frame.terminal.introduce("One score an element, every seed",
                             "The same for arranging by the scores of the first step alone.");
    frame.terminal.table(results.table({"network", by_first, masked}));
    frame.files.write_csv("trained_sorting.csv", results.columns());
    save_curves(frame, results);
    show_weights(frame, networks[0][0]);
}

} // namespace attn::pointer_network
