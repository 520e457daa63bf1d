/// \file
/// \brief Sorting by pointing: with and without the mask, by encoder and score, on lists longer than
/// any that was learnt from.
#pragma once

#include "chapters/09_pointer_network/tasks.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::pointer_network {

/// A network that learns to sort.
struct Sorter
{
    std::string name;           ///< as tables print it
    PointerOptions options;     ///< of the network
    std::size_t n_steps = 600;  ///< of its training
};

/// The paper's score and a set encoder; scaled dot products; the paper's encoder; two without a
/// mask; and the first with hardly any training.
std::vector<Sorter> all_sorters();

/// How many numbers the tested lists have; those that are learnt from have 4 to 8.
inline constexpr std::array<std::size_t, 6> sorted_lengths = {5, 8, 10, 12, 16, 24};

/// What a sorter does with 1000 lists of each length.
struct SortingResult
{
    std::array<double, sorted_lengths.size()> right = {}; ///< share of lists, all positions right
    std::array<double, sorted_lengths.size()> first_right = {}; ///< share of smallest elements
    std::array<double, sorted_lengths.size()> by_first = {}; ///< share sorted by the scores of
                                                             ///< the first step alone
    std::size_t n_parameters = 0;                               ///< numbers that are learnt
};

/// Trains a network on lists of 4 to 8 numbers.
PointerNetwork<float> train_sorter(const Sorter& sorter, std::size_t n_steps,
                                   std::uint64_t seed);

/// \param n_lists  of each length
SortingResult measure_sorting(const PointerNetwork<float>& network, std::size_t n_lists,
                              std::uint64_t seed);

/// Prints how many answers a list has, with a mask and without one.
void show_answers(program::Frame& frame);

/// Prints and saves the section on sorting.
void show_sorting(program::Frame& frame);

} // namespace attn::pointer_network
