/// \file
/// \brief Which width does descent on chapter 2's leave-one-out error find? And the local
/// minima of that error, over the tables that it is taken of.
#pragma once

#include "chapters/04_backpropagation/kernel_width.hpp"
#include "common/program/run.hpp"

#include <string>
#include <vector>

namespace attn::backpropagation {

/// A width at which the error is lower than on both sides.
struct Minimum
{
    double width; ///< where the derivative changes its sign
    double error; ///< there
};

/// The local minima of the error between two widths: every change of the derivative's sign from
/// below 0 to above on a grid of 121 widths, each the same factor above the one before, refined
/// by bisection.
/// \returns from the narrowest to the widest
/// \throws ContractError unless 0 < low < high
std::vector<Minimum> local_minima(const WidthProblem& problem, double low, double high);

/// A table under its name.
struct NamedTable
{
    std::string name;               ///< "toy", "Old Faithful" or "cars"
    nadaraya_watson::Sample sample; ///< keys and values
};

/// The three tables of chapter 2: 40 points of y = 2 sin x + x + noise, the 272 eruptions of
/// Old Faithful, and the stopping distances of 50 cars.
std::vector<NamedTable> tables_of_chapter_2();

/// Prints and writes the descents on the width, with and without the mask.
void show_width(program::Frame& frame);

} // namespace attn::backpropagation
