/// \file
/// \brief The experiments of chapter 9, in the order of its page: lists are sorted, hulls and short
/// tours are pointed at; a reader's own points.
#pragma once

#include "chapters/09_pointer_network/tasks.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::pointer_network {

// ---------------- three numbers in order

/// Prints how a score that is written by hand puts 7, 2 and 5 in order, step by step.
void show_three_numbers(program::Frame& frame);

// ---------------- sorting: with and without the mask, by encoder and score, longer lists

/// Prints how many answers a list has, with a mask and without one.
void show_answers(program::Frame& frame);

/// A network that learns to sort.
struct Sorter
{
    std::string name;          ///< as tables print it
    PointerOptions options;    ///< of the network
    std::size_t n_steps = 600; ///< of its training
};

/// The paper's score and a set encoder; scaled dot products; the paper's encoder; two without a
/// mask; and the first with hardly any training.
std::vector<Sorter> all_sorters();

/// How many numbers the tested lists have; those that are learnt from have 4 to 8.
inline constexpr std::array<std::size_t, 6> sorted_lengths = {5, 8, 10, 12, 16, 24};

/// What a sorter does with 1000 lists of each length.
struct SortingResult
{
    std::array<double, sorted_lengths.size()> right =
        {}; ///< share of lists, all positions right
    std::array<double, sorted_lengths.size()> first_right = {}; ///< share of smallest elements
    std::array<double, sorted_lengths.size()> by_first = {}; ///< share sorted by the scores of
                                                             ///< the first step alone
    std::size_t n_parameters = 0;                            ///< numbers that are learnt
};

/// Trains a network on lists of 4 to 8 numbers.
PointerNetwork<float> train_sorter(const Sorter& sorter, std::size_t n_steps,
                                   std::uint64_t seed);

/// \param n_lists  of each length
SortingResult measure_sorting(const PointerNetwork<float>& network, std::size_t n_lists,
                              std::uint64_t seed);

/// Prints and saves the section on sorting.
void show_sorting(program::Frame& frame);

// ---------------- convex hulls: answers of variable length, judged by positions and by area

/// What a network answers to lists of some points.
struct HullResult
{
    double exact = 0; ///< share of lists whose answer is the hull, corner by corner
    double area = 0;  ///< mean share of the hull's area that the answer covers; 0 of failures
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

// ---------------- where the targets begin: an answer that can be written down in many ways

/// What a network answers, whatever corner it begins at and whichever way it goes; and how it
/// begins.
struct TargetsResult
{
    HullResult hulls = {};     ///< of the answers, turned to begin at their leftmost corner
    double first_largest = 0;  ///< mean of the largest weight of the first step
    double first_corners = 0;  ///< mean of the first step's weights on corners, together
    double second_largest = 0; ///< mean of the largest weight of the second step
};

/// \param lists  of one length
TargetsResult measure_targets(const PointerNetwork<float>& network,
                              const std::vector<std::vector<Point>>& lists);

/// Prints and saves the section on the targets of hulls.
/// \param leftmost  networks with targets from the leftmost corner, one a seed
/// \param n_steps   of each training
void show_hull_targets(program::Frame& frame,
                       const std::vector<PointerNetwork<float>>& leftmost, std::size_t n_steps);

// ---------------- short tours

/// Prints and saves the section on tours, beside the shortest ones, the nearest neighbour and random
/// ones.
/// \param n_steps  of each training
void show_tours(program::Frame& frame, std::size_t n_steps);

// ---------------- a reader's points

/// Reads a reader's points, trains a network and prints the hull that it points at beside the right
/// one.
/// \param file  CSV with the columns x and y, or with two columns; rows that repeat a point are
///              left out
/// \throws BadInput if there are fewer than 3 points or more than 50, or all are on a line
void show_readers_hull(program::Frame& frame, const std::string& file, std::size_t n_steps);

// ---------------- step by step with a pencil

/// Prints the pencil example of chapter 1: two steps that point, with and without the mask.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::pointer_network
