/// \file
/// \brief What is the root of d for? The variance of a dot product, and what the softmax makes
/// of it with the root and without.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::scoring_functions {

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

} // namespace attn::scoring_functions
