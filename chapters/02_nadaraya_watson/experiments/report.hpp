/// \file
/// \brief What the program of chapter 2 prints and keeps, one function an experiment.
/// Deliberately without formulas: kernels.hpp, nadaraya_watson.hpp, bandwidth.hpp and
/// experiments.hpp have them.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <vector>

/// The program's tables and files.
namespace attn::nadaraya_watson::report {

/// Prints each kernel with the width that leave-one-out chooses, and keeps their shapes.
/// \param frame    the program's terminal and files
/// \param choices  one for each of kernels()
void kernel_table(program::Frame& frame, const std::vector<Choice>& choices);

/// Prints and keeps what a narrow, the chosen and a wide Gaussian make of Old Faithful.
/// \param frame   the program's terminal and files
/// \param real    Old Faithful
/// \param chosen  the width that leave-one-out chooses
void width_table(program::Frame& frame, const Sample& real, double chosen);

/// Prints what each kernel answers where there is no key.
/// \param frame  the program's terminal
/// \param real   Old Faithful
void empty_window(program::Frame& frame, const Sample& real);

/// Prints and keeps the weights over a synthetic sample.
/// \param frame      the program's terminal and files
/// \param synthetic  keys in rising order
void weights(program::Frame& frame, const Sample& synthetic);

/// Prints and keeps the errors with and without the mask.
/// \param frame      the program's terminal and files
/// \param synthetic  keys that all differ
/// \param real       Old Faithful
void mask(program::Frame& frame, const Sample& synthetic, const Sample& real);

/// Prints how the kernels fare where the truth is known.
/// \param frame  the program's terminal, its seed and whether it is quick
void comparison(program::Frame& frame);

/// Keeps what the bandwidth slider of the page shows.
/// \param frame    the program's files
/// \param real     Old Faithful
/// \param choices  one for each of kernels()
void slider(program::Frame& frame, const Sample& real, const std::vector<Choice>& choices);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::nadaraya_watson::report
