/// \file
/// \brief What is similarity worth when a key is a list of numbers, of which few matter?
#pragma once

#include "chapters/02_nadaraya_watson/chosen_numbers.hpp"
#include "chapters/02_nadaraya_watson/experiments/kernel_comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::nadaraya_watson {

/// Which of a key's numbers the value depends on.
enum class Matters
{
    first, ///< truth() of the first number
    all,   ///< the sum of truth() over all of them, over the root of how many they are
};

/// A table whose keys are lists of numbers.
struct WideSample
{
    Matrix keys;   ///< [n, d], uniform in [0, 5)
    Vector values; ///< [n], target + standard normal noise
    Vector target; ///< [n], what the value depends on, without the noise
};

/// Draws a table. Of one draw the first number and the noise are the same for every d.
/// \param draw  which of the seed's independent draws
WideSample wide_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n, std::size_t d,
                       Matters matters);

/// The mean squared distance between the Gaussian estimate and the target of other queries.
/// \param asked    n_queries rows, of which keys and target are used
/// \param columns  which numbers of a key the distance uses, each below d
double error_on(const WideSample& asked, const WideSample& sample,
                const std::vector<std::size_t>& columns, double bandwidth);

/// Prints what more numbers in a key do to distances, bandwidth and error, and what it helps to
/// choose among the numbers.
void show_many_numbers(program::Frame& frame);

/// Prints what more keys do about it.
void show_more_keys(program::Frame& frame);

/// Prints what it does to leave out numbers where all of them matter.
void show_fewer_numbers(program::Frame& frame);

} // namespace attn::nadaraya_watson
