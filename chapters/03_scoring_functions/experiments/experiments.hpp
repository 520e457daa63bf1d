/// \file
/// \brief The experiments of chapter 3, in the order of its program: what each score costs and
/// finds, what the root of d is for, what a mask hides, and which normaliser.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::scoring_functions {

// ---------------- what a score costs

/// Prints what one call of each score takes.
void show_costs(program::Frame& frame);

// ---------------- what is the root of d for?

/// The variance of q.k over independent pairs whose entries are standard normal.
/// \param n_threads  how many pieces of work at a time; the result does not depend on it
/// \returns          the mean of (q.k)^2, whose expectation is d
/// \throws ContractError if n_pairs is 0
double variance_of_dot(std::uint64_t seed, std::size_t d, std::size_t n_pairs,
                       std::size_t n_threads);

/// How soft weights are, and how they respond to a change of the scores.
struct Saturation
{
    double entropy;         ///< mean over the rows, as a share of ln n_keys
    double share_saturated; ///< share of rows whose largest weight is above .99
    double median_norm;     ///< median over the rows of the norm of d weights / d scores
    double mean_norm;       ///< mean of the same
    double top_tenth;       ///< share of the norms' sum that the largest tenth of them has
};

/// Sums up rows of weights.
/// \param weights  [n_queries, n_keys], rows on the simplex, n_queries >= 1, n_keys >= 2
/// \throws ContractError if there is no row, or fewer than two keys
Saturation saturation(const Matrix& weights);

/// Dot products of standard normal queries and keys: 100 tables of keys, 20 queries each.
/// \returns [2000, n_keys]
Matrix scores_of_normal_keys(std::uint64_t seed, std::size_t d, std::size_t n_keys);

/// What the root of d does at one size.
struct RootEffect
{
    std::size_t d;          ///< numbers in a query and in a key
    double variance_over_d; ///< of q.k, divided by d
    Saturation plain;       ///< of the softmax of q.k
    Saturation scaled;      ///< of the softmax of q.k / sqrt(d); norms with respect to q.k
    double entropy_over_d;  ///< of the softmax of q.k / d, as a share of ln n_keys
};

/// Measures the above for several sizes.
/// \param sizes      the values of d, each at least 1
/// \param n_keys     keys in a table, at least 2
/// \param quick      whether the variance is taken of 8000 pairs, and not of 128,000, or of
///                   32,000 for sizes above 64
/// \param n_threads  how many pieces of work at a time; the result does not depend on it
std::vector<RootEffect> root_effects(std::uint64_t seed, const std::vector<std::size_t>& sizes,
                                     std::size_t n_keys, bool quick, std::size_t n_threads);

/// Sizes and keys of the table of the root of d.
struct RootOptions
{
    std::vector<std::size_t> sizes; ///< the values of d
    std::size_t n_keys;             ///< keys in a table
};

/// Prints the variance of q.k, how soft the weights are with and without the root, and how
/// strongly they respond to a change of q.k.
/// \param written  whether the numbers are kept for the figure, and every other size printed
void show_root(program::Frame& frame, const RootOptions& options, bool written);

// ---------------- when is the dot product a distance?

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

// ---------------- which score finds the key?

/// Prints and writes which score finds the right key in which task.
void show_retrieval(program::Frame& frame);

/// Prints how many keys are found by projections to fewer numbers.
void show_projections(program::Frame& frame);

// ---------------- what a mask hides

/// Prints what a mask hides, and what a large negative number in its place does not.
void show_masks(program::Frame& frame);

// ---------------- which normaliser?

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

// ---------------- the slider of the root of d

/// One query and its 16 keys while they grow from 1 number to 1024, each size being the first
/// numbers of the next.
struct GrowingExample
{
    Vector sizes;             ///< [n_sizes]
    lookup::Attention plain;  ///< of q.k: scores and weights [n_sizes, n_keys], no context
    lookup::Attention scaled; ///< of q.k / sqrt(d), the same
};

/// Draws that query and its keys.
/// \returns sizes 1, 2, 4, ..., 1024
GrowingExample growing_example(std::uint64_t seed);

/// Writes what the interactive figure of the page shows.
void show_root_slider(program::Frame& frame);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::scoring_functions
