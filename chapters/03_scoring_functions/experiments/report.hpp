/// \file
/// \brief What the program of chapter 3 prints and keeps, one function an experiment.
/// Deliberately without formulas: scoring_functions.hpp, experiments.hpp and retrieval.hpp
/// have them.
#pragma once

#include "chapters/03_scoring_functions/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

/// The program's tables and files.
namespace attn::scoring_functions::report {

/// Prints what one call of each score takes.
/// \param frame  the program's terminal
void costs(program::Frame& frame);

/// What is asked about the root of d.
struct RootQuestion
{
    std::vector<std::size_t> sizes; ///< the values of d
    std::size_t n_keys;             ///< keys in a table
};

/// Prints the variance of q.k, and what the weights look like with and without the root.
/// \param frame     the program's terminal
/// \param question  sizes and number of keys
/// \returns         what was measured
std::vector<RootEffect> root(program::Frame& frame, const RootQuestion& question);

/// Keeps the numbers of `root` for the figure.
/// \param frame    the program's files
/// \param effects  what was measured
void keep_root(program::Frame& frame, const std::vector<RootEffect>& effects);

/// Prints and keeps how far dot product and Gaussian kernel part as lengths spread.
/// \param frame  the program's terminal and files
void lengths(program::Frame& frame);

/// Prints and keeps which score finds the right key in which task.
/// \param frame  the program's terminal and files
void retrieval(program::Frame& frame);

/// Prints what a mask hides, and what a large negative number in its place does not.
/// \param frame  the program's terminal
void masks(program::Frame& frame);

/// Prints what each normaliser makes of three rows of scores, and what it lacks.
/// \param frame  the program's terminal
void normalisers(program::Frame& frame);

/// Keeps what the interactive figure of the page shows.
/// \param frame  the program's files
void slider(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::scoring_functions::report
