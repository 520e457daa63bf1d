/// \file
/// \brief Short tours by pointing, beside the shortest ones, the nearest neighbour and random ones.
#pragma once

#include "chapters/09_pointer_network/tasks.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::pointer_network {

/// How many points the tested tours have; those that are learnt from have 5 to 8.
inline constexpr std::array<std::size_t, 4> tour_sizes = {5, 8, 10, 12};

/// Tours of as many points, divided by the length of the shortest.
struct TourResult
{
    double pointed = 0;   ///< mean over the lists, of the network
    double shortest = 0;  ///< share of lists in which the network's tour is the shortest
    double neighbour = 0; ///< mean, of the nearest neighbour from the leftmost point
    double random = 0;    ///< mean, of the points in the order in which they were drawn
};

/// Trains a network on the shortest tours through 5 to 8 points.
PointerNetwork<float> train_tours(std::size_t n_steps, std::uint64_t seed);

/// \param lists  each with at most twelve points
TourResult measure_tours(const PointerNetwork<float>& network,
                         const std::vector<std::vector<Point>>& lists);

/// Prints and saves the section on tours.
/// \param n_steps  of each training
void show_tours(program::Frame& frame, std::size_t n_steps);

} // namespace attn::pointer_network
