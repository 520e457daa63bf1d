/// \file
/// \brief Which score, which mask, which normaliser? What each costs, finds and hides, and how
/// far dot product and Gaussian kernel part.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::scoring_functions {

/// Prints what one call of each score takes.
void show_costs(program::Frame& frame);

/// How far the weights of the Gaussian kernel and of the dot product are apart when the
/// lengths of the keys spread, in one table of keys.
/// \param table   whose numbers are drawn, from 0 on
/// \param spread  standard deviation of the logarithm of the keys' length; 0: equal lengths
/// \returns       the largest difference of two weights, over 200 queries and 16 keys, d = 8
double gaussian_minus_dot(std::uint64_t seed, std::size_t table, double spread);

/// The same over 20 tables.
struct LengthEffect
{
    double smallest; ///< of the tables' largest differences
    double median;   ///< of the same
    double largest;  ///< of the same
};

/// How far the weights are apart over 20 tables of keys, the same for each spread.
LengthEffect length_effect(std::uint64_t seed, double spread);

/// Prints and writes how far dot product and Gaussian kernel part as lengths spread.
void show_lengths(program::Frame& frame);

/// Prints and writes which score finds the right key in which task.
void show_retrieval(program::Frame& frame);

/// Prints how many keys are found by projections to fewer numbers.
void show_projections(program::Frame& frame);

/// Prints what a mask hides, and what a large negative number in its place does not.
void show_masks(program::Frame& frame);

/// What a normaliser does right.
struct NormaliserProperties
{
    std::string name;   ///< of the normaliser
    bool on_simplex;    ///< no weight is negative, each row sums to 1
    bool keeps_order;   ///< a higher score never gets a smaller weight
    bool ignores_shift; ///< adding 1 to all scores changes no weight
    bool feels_a_nudge; ///< a little more score is a little more weight: slope .001 to 1000
};

/// Tries each normaliser on the scores 1, 0.5, -1 and 0.5, 0.25, 0.125 and 1, -1, 0: as they
/// are, with 1 added to all, and with one after the other raised by 1e-6. A verdict is true if
/// it holds for all three rows, and for all nudges.
std::vector<NormaliserProperties> check_normalisers();

/// Prints what each normaliser makes of three rows of scores, and what it lacks.
void show_normalisers(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::scoring_functions
