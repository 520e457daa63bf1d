#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace attn::pointer_network {

using program::Cell;
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
    std::vector<std::vector<TargetsResult>> measured = program::run_rows_with_seeds(
        frame, "targets", 2, seeds, [&](std::size_t row, std::uint64_t seed) {
            return measure(
                train_hulls(steps, seed,
                            row == 0 ? HullTargets::any_corner : HullTargets::any_direction),
                seed);
        });
    measured.insert(measured.begin(), std::vector<TargetsResult>{});
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        measured[0].push_back(measure(leftmost[i], seeds[i]));
    }
    frame.terminal.introduce(
        "Where the targets begin",
        "The same trainings with three kinds of targets, and other lists of {} points. Share "
        "of "
        "exact answers, a hull from any corner in either direction; and the largest weight of "
        "the first and of the second step, a mean over the lists. Medians of {} seeds.",
        n_points, seeds.size());
    program::Results results({"targets"}, {{"seed", fixed, 0},
                                           {"exact", fixed, 4},
                                           {"area", fixed, 5},
                                           {"failures", fixed, 4},
                                           {"first_largest", fixed, 4},
                                           {"first_corners", fixed, 4},
                                           {"second_largest", fixed, 4}});
    for (std::size_t row = 0; row < measured.size(); ++row) {
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const TargetsResult& one = measured[row][i];
            results.add({names.at(row)}, {static_cast<double>(seeds[i]), one.hulls.exact,
                                          one.hulls.area, one.hulls.failures, one.first_largest,
                                          one.first_corners, one.second_largest});
        }
    }
    frame.terminal.table(results.table({"targets",
                                        {{"exact", "exact", 3},
                                         {"first step", "first_largest", 2},
                                         {"second step", "second_largest", 2}}}));
    frame.terminal.introduce(
        "Where the targets begin, every seed",
        "The same, with the share of failures; at corners: the first step's weights on all "
        "corners together. Lowest, median and highest of the seeds.");
    frame.terminal.table(results.table({"targets",
                                        {{"exact", "exact", 3, Cell::spread},
                                         {"failures", "failures", 3, Cell::spread},
                                         {"first step", "first_largest", 2, Cell::spread},
                                         {"at corners", "first_corners", 2, Cell::spread},
                                         {"second step", "second_largest", 2, Cell::spread}}}));
    frame.files.write_csv("trained_hull_targets.csv", results.columns());
}

} // namespace attn::pointer_network
