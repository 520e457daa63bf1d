/// \file
/// \brief What the program of chapter 3 prints and writes, one function an experiment.
#pragma once

#include "chapters/03_scoring_functions/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

/// The program's tables and files.
namespace attn::scoring_functions::report {

/// Prints what one call of each score takes.
void costs(program::Frame& frame);

/// What is asked about the root of d.
struct RootQuestion
{
    std::vector<std::size_t> sizes; ///< the values of d
    std::size_t n_keys;             ///< keys in a table
};

/// Prints the variance of q.k, and what the weights look like with and without the root.
std::vector<RootEffect> root(program::Frame& frame, const RootQuestion& question);

/// Writes the numbers of `root` for the figure.
void write_root(program::Frame& frame, const std::vector<RootEffect>& effects);

/// Prints and writes how far dot product and Gaussian kernel part as lengths spread.
void lengths(program::Frame& frame);

/// Prints and writes which score finds the right key in which task.
void retrieval(program::Frame& frame);

/// Prints what a mask hides, and what a large negative number in its place does not.
void masks(program::Frame& frame);

/// Prints what each normaliser makes of three rows of scores, and what it lacks.
void normalisers(program::Frame& frame);

/// Writes what the interactive figure of the page shows.
void slider(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::scoring_functions::report
