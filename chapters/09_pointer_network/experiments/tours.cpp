#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/random/streams.hpp"

#include <array>
#include <numeric>
#include <string>

namespace attn::pointer_network {

using program::Cell;
using program::fixed;
using program::Frame;

namespace {

/// Points of the tested tours; those that are learnt from have 5 to 8.
constexpr std::array<std::size_t, 4> tour_sizes = {5, 8, 10, 12};

/// Tours of as many points, divided by the length of the shortest: means over the lists.
struct TourResult
{
    double pointed = 0;   // of the network
    double shortest = 0;  // share of lists in which the network's tour is the shortest
    double neighbour = 0; // of the nearest neighbour from the leftmost point
    double random = 0;    // of the points in the order in which they were drawn
};

PointerNetwork<float> train_tours(std::size_t n_steps, std::uint64_t seed)
{
    return train({.n_features = 2, .hidden = 64},
                 [](random::Generator& generator) {
                     const std::size_t n = 5 + generator.below(4);
                     return tour_batch(draw_points(batch_size, n, generator));
                 },
                 {.n_steps = n_steps, .peak_rate = 0.005, .seed = seed});
}

TourResult measure_tours(const PointerNetwork<float>& network,
                         const std::vector<std::vector<Point>>& lists)
{
    constexpr double rounding = 1e-9; // of sums in another order
    const std::vector<Order> tours = network.point(elements_of(lists, false)).positions;
    TourResult result;
    const double share = 1 / static_cast<double>(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const std::vector<Point>& points = lists[i];
        const double best = tour_length(points, shortest_tour(points));
        Order drawn(points.size());
        std::iota(drawn.begin(), drawn.end(), std::size_t{0});
        const double pointed = tour_length(points, tours[i]) / best;
        result.pointed += share * pointed;
        result.shortest += pointed <= 1 + rounding ? share : 0;
        result.neighbour +=
            share * tour_length(points, nearest_neighbour_tour(points, leftmost(points))) /
            best;
        result.random += share * tour_length(points, drawn) / best;
    }
    return result;
}

} // namespace

void show_tours(Frame& frame, std::size_t n_steps)
{
    const bool quick = frame.options.quick;
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const std::size_t steps = quick ? 10 : n_steps;
    const std::size_t n_lists = quick ? 20 : 500;
    const auto networks = program::run_rows_with_seeds(
        frame, "tours", 1, seeds,
        [&](std::size_t, std::uint64_t seed) { return train_tours(steps, seed); })[0];
    frame.terminal.introduce(
        "Short tours",
        "Networks learn the shortest tours through 5 to 8 points, in {} steps of {} lists. {} "
        "other lists of each size: mean length, divided by that of the shortest tour, of the "
        "network's tours, of those that go to the nearest point, and of random ones; and the "
        "share in which the network's tour is the shortest. Medians of {} seeds.",
        steps, batch_size, n_lists, seeds.size());
    program::Results results({"points"}, {{"seed", fixed, 0},
                                          {"pointed", fixed, 4},
                                          {"shortest", fixed, 4},
                                          {"neighbour", fixed, 4},
                                          {"random", fixed, 4}});
    for (std::size_t k = 0; k < tour_sizes.size(); ++k) {
        for (std::size_t i = 0; i < networks.size(); ++i) {
            random::Generator generator(seeds[i], random::Stream::tours_test, k);
            const TourResult one =
                measure_tours(networks[i], draw_points(n_lists, tour_sizes[k], generator));
            results.add({std::to_string(tour_sizes[k])},
                        {static_cast<double>(seeds[i]), one.pointed, one.shortest,
                         one.neighbour, one.random});
        }
    }
    frame.terminal.table(results.table({"points",
                                        {{"network", "pointed", 3},
                                         {"nearest point", "neighbour", 3},
                                         {"random", "random", 3},
                                         {"network's is the shortest", "shortest", 2}}}));
    frame.terminal.introduce("Short tours, every seed",
                             "Lowest, median and highest of the seeds.");
    frame.terminal.table(
        results.table({"points",
                       {{"network", "pointed", 3, Cell::spread},
                        {"network's is the shortest", "shortest", 2, Cell::spread}}}));
    frame.files.write_csv("trained_tours.csv", results.columns());
}

} // namespace attn::pointer_network
