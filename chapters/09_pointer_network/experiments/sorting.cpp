#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/autograd/tape.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/heat_map.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::pointer_network {

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
    program::Table medians({"network", "8 numbers", "24 numbers"});
    program::Table steps({"network", "all steps", "first step alone"});
    std::vector<std::string> heads = {"network", "parameters"};
    std::vector<std::string> first_heads = {"network"};
    std::vector<program::CsvColumn> columns = {{"row", fixed, 0}, {"seed", fixed, 0}};
    for (const std::size_t n : sorted_lengths) {
        if (is_printed(n)) {
            heads.push_back(fmt::format("{} numbers", n));
            first_heads.push_back(heads.back());
        }
        columns.push_back({fmt::format("right_{}", n), fixed, 3});
        columns.push_back({fmt::format("by_first_{}", n), fixed, 3});
    }
    columns.push_back({"first_right_8", fixed, 3});
    program::Table table(heads);
    program::Table by_first(first_heads);
    program::CsvRows csv(columns);
    program::CsvColumns curves;
    curves.add("n", sorted_lengths, fixed, 0);
    for (std::size_t row = 0; row < sorters.size(); ++row) {
        std::vector<SortingResult> results;
        for (std::size_t i = 0; i < networks[row].size(); ++i) {
            results.push_back(
                measure_sorting(networks[row][i], quick ? 50 : 1000, frame.options.seed + i));
            std::vector<double> cells = {static_cast<double>(row),
                                         static_cast<double>(frame.options.seed + i)};
            for (std::size_t k = 0; k < sorted_lengths.size(); ++k) {
                cells.push_back(results[i].right[k]);
                cells.push_back(results[i].by_first[k]);
            }
            cells.push_back(results[i].first_right[1]);
            csv.add(cells);
        }
        std::vector<std::string> cells = {sorters[row].name,
                                          std::to_string(results[0].n_parameters)};
        std::vector<std::string> first_cells = {sorters[row].name};
        std::vector<std::string> median_cells = {sorters[row].name};
        std::vector<program::Spread> spreads;
        std::vector<program::Spread> spreads_by_first;
        for (std::size_t k = 0; k < sorted_lengths.size(); ++k) {
            spreads.push_back(program::spread(
                results, [&](const SortingResult& one) { return one.right[k]; }));
            spreads_by_first.push_back(program::spread(
                results, [&](const SortingResult& one) { return one.by_first[k]; }));
            if (is_printed(sorted_lengths[k])) {
                cells.push_back(spreads.back().text(3));
                first_cells.push_back(spreads_by_first.back().text(3));
            }
            if (sorted_lengths[k] == 8 || sorted_lengths[k] == sorted_lengths.back()) {
                median_cells.push_back(fixed(spreads.back().median(), 3));
            }
        }
        table.row(cells);
        medians.row(median_cells);
        if (sorters[row].options.mask == Mask::chosen) {
            by_first.row(first_cells);
            steps.row({sorters[row].name, fixed(spreads.back().median(), 3),
                       fixed(spreads_by_first.back().median(), 3)});
        }
        curves.add_spreads(fmt::format("row_{}", row), spreads, fixed, 3);
    }
    frame.terminal.table(medians);
    frame.terminal.introduce(
        "One score an element",
        "The same networks that mask. Share of the lists of 24 numbers that come out without a "
        "mistake: pointed at step by step, and arranged by the scores of the first step alone. "
        "Medians.");
    frame.terminal.table(steps);
    frame.terminal.introduce("Sorting, every seed",
                             "The same shares: lowest, median and highest of the seeds.");
    frame.terminal.table(table);
    frame.terminal.introduce("One score an element, every seed",
                             "The same for arranging by the scores of the first step alone.");
    frame.terminal.table(by_first);
    frame.files.write_csv("trained_sorting.csv", csv.columns());
    frame.files.write_csv("trained_sorting_lengths.csv", curves);
    show_weights(frame, networks[0][0]);
}

} // namespace attn::pointer_network
