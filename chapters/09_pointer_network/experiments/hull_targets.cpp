#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace attn::pointer_network {

using program::fixed;
using program::Frame;

namespace {

constexpr std::size_t n_points = 8;

const std::array<std::string, 3> names = {"leftmost, counter-clockwise",
                                          "any corner, counter-clockwise",
                                          "any corner, either direction"};

} // namespace

TargetsResult measure_targets(const PointerNetwork<float>& network,
                              const std::vector<std::vector<Point>>& lists)
{
    const Array<float> elements = elements_of(lists, true);
    const std::size_t n_elements = elements.shape()[1];
    const std::vector<Array<float>> weights = network.point(elements, 2, true).weights;
    std::vector<Order> answers = pointed_hulls(network, lists);
    TargetsResult result;
    const double share = 1 / static_cast<double>(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const float* const first = weights[0].data() + i * n_elements;
        const float* const second = weights[1].data() + i * n_elements;
        for (const std::size_t corner : convex_hull(lists[i])) {
            result.first_corners += share * static_cast<double>(first[corner + 1]);
        }
        result.first_largest +=
            share * static_cast<double>(*std::max_element(first, first + n_elements));
        result.second_largest +=
            share * static_cast<double>(*std::max_element(second, second + n_elements));
        answers[i] = from_leftmost(lists[i], answers[i]);
    }
    result.hulls = judge_hulls(lists, answers);
    return result;
}

void show_hull_targets(Frame& frame, const std::vector<PointerNetwork<float>>& leftmost,
                       std::size_t n_steps)
{
    const std::size_t n_lists = frame.options.quick ? 50 : 1000;
    const std::size_t steps = frame.options.quick ? 10 : n_steps;
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const auto measure = [&](const PointerNetwork<float>& network, std::uint64_t seed) {
        random::Generator generator(seed, random::Stream::hull_targets_test);
        return measure_targets(network, draw_points(n_lists, n_points, generator));
    };
    std::vector<std::vector<TargetsResult>> results = program::run_rows_with_seeds(
        frame, "targets", 2, seeds, [&](std::size_t row, std::uint64_t seed) {
            return measure(
                train_hulls(steps, seed,
                            row == 0 ? HullTargets::any_corner : HullTargets::any_direction),
                seed);
        });
    results.insert(results.begin(), std::vector<TargetsResult>{});
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        results[0].push_back(measure(leftmost[i], seeds[i]));
    }
    frame.terminal.introduce(
        "Where the targets begin",
        "The same trainings with three kinds of targets, and other lists of {} points. Share "
        "of "
        "exact answers, a hull from any corner in either direction; and the largest weight of "
        "the first and of the second step, a mean over the lists. Medians of {} seeds.",
        n_points, seeds.size());
    program::Table medians({"targets", "exact", "first step", "second step"});
    program::Table table(
        {"targets", "exact", "failures", "first step", "at corners", "second step"});
    program::CsvRows csv({{"row", fixed, 0},
                          {"seed", fixed, 0},
                          {"exact", fixed, 4},
                          {"area", fixed, 5},
                          {"failures", fixed, 4},
                          {"first_largest", fixed, 4},
                          {"first_corners", fixed, 4},
                          {"second_largest", fixed, 4}});
    for (std::size_t row = 0; row < results.size(); ++row) {
        const auto text = [&](const auto& number, int digits) {
            return program::spread(results[row], number).text(digits);
        };
        const auto median = [&](const auto& number, int digits) {
            return fixed(program::spread(results[row], number).median(), digits);
        };
        medians.row({names.at(row),
                     median([](const TargetsResult& one) { return one.hulls.exact; }, 3),
                     median([](const TargetsResult& one) { return one.first_largest; }, 2),
                     median([](const TargetsResult& one) { return one.second_largest; }, 2)});
        table.row({names.at(row),
                   text([](const TargetsResult& one) { return one.hulls.exact; }, 3),
                   text([](const TargetsResult& one) { return one.hulls.failures; }, 3),
                   text([](const TargetsResult& one) { return one.first_largest; }, 2),
                   text([](const TargetsResult& one) { return one.first_corners; }, 2),
                   text([](const TargetsResult& one) { return one.second_largest; }, 2)});
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const TargetsResult& one = results[row][i];
            csv.add({static_cast<double>(row), static_cast<double>(seeds[i]), one.hulls.exact,
                     one.hulls.area, one.hulls.failures, one.first_largest, one.first_corners,
                     one.second_largest});
        }
    }
    frame.terminal.table(medians);
    frame.terminal.introduce(
        "Where the targets begin, every seed",
        "The same, with the share of failures; at corners: the first step's weights on all "
        "corners together. Lowest, median and highest of the seeds.");
    frame.terminal.table(table);
    frame.files.write_csv("trained_hull_targets.csv", csv.columns());
}

} // namespace attn::pointer_network
