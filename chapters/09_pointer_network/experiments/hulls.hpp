/// \file
/// \brief Convex hulls by pointing: answers of variable length with a stop symbol, judged by their
/// positions and by the area that they cover; a reader's own points.
#pragma once

#include "chapters/09_pointer_network/tasks.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::pointer_network {

/// How many points the tested lists have; those that are learnt from have 5 to 8.
inline constexpr std::array<std::size_t, 5> hull_sizes = {5, 8, 10, 15, 20};

/// What a network answers to lists of some points.
struct HullResult
{
    double exact = 0;    ///< share of lists whose answer is the hull, corner by corner
    double area = 0;     ///< mean share of the hull's area that the answer covers; 0 of failures
    double failures = 0; ///< share of answers with fewer than three corners or crossing edges
    double missed = 0;   ///< mean over the answers that are not exact: corners left out
    double inner = 0;    ///< mean over the same: points that are no corners
};

/// How a hull is written down as a target.
enum class HullTargets
{
    leftmost,     ///< from the leftmost corner, counter-clockwise
    any_corner,   ///< from a corner drawn anew, counter-clockwise
    any_direction ///< from a corner drawn anew, in a direction drawn anew
};

/// The hulls of lists of points, written down in that way.
std::vector<Order> drawn_hulls(const std::vector<std::vector<Point>>& lists,
                               HullTargets targets, random::Generator& generator);

/// Trains a network on the hulls of 5 to 8 points.
PointerNetwork<float> train_hulls(std::size_t n_steps, std::uint64_t seed,
                                  HullTargets targets = HullTargets::leftmost);

/// The corners that a network points at, as positions in each list of points.
std::vector<Order> pointed_hulls(const PointerNetwork<float>& network,
                                 const std::vector<std::vector<Point>>& lists);

/// Judges answers.
HullResult judge_hulls(const std::vector<std::vector<Point>>& lists,
                       const std::vector<Order>& answers);

/// Prints and saves the section on hulls, and the network for the interactive figure.
/// \param n_steps  of each training
/// \returns        the networks, one a seed
std::vector<PointerNetwork<float>> show_hulls(program::Frame& frame, std::size_t n_steps);

/// Reads a reader's points, trains a network and prints the hull that it points at beside the right
/// one.
/// \param file  CSV with the columns x and y, or with two columns; rows that repeat a point are
///              left out
/// \throws BadInput if there are fewer than 3 points or more than 50, or all are on a line
void show_readers_hull(program::Frame& frame, const std::string& file, std::size_t n_steps);

} // namespace attn::pointer_network
