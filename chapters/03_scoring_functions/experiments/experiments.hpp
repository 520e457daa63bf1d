/// \file
/// \brief What the program of chapter 3 measures, as functions that its tests ask as well. The
/// tasks of retrieval have a file of their own, retrieval.hpp.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::scoring_functions {

// ---------------------------------------------------------------- the root of d

/// The variance of q.k over independent pairs whose entries are standard normal.
/// \param n_threads  how many pieces of work at a time; the result does not depend on it
/// \returns          the mean of (q.k)^2, whose expectation is d
/// \throws ContractError if n_pairs is 0
double variance_of_dot(std::uint64_t seed, std::size_t d, std::size_t n_pairs,
                       std::size_t n_threads);

/// How far weights are from a decision, and how they answer to a change of the scores.
struct Saturation
{
    double entropy;       ///< mean over the rows, as a share of ln n_keys
    double largest;       ///< mean of each row's largest weight
    double share_decided; ///< share of rows whose largest weight is above .99
    double jacobian;      ///< median of the norm of d weights / d scores
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
    Saturation scaled;      ///< of the softmax of q.k / sqrt(d)
};

/// Measures the above for several sizes.
/// \param sizes      the values of d, each at least 1
/// \param n_keys     keys in a table, at least 2
/// \param quick      whether the variance is taken of 8000 pairs, and not of 128,000, or of
///                   32,000 for sizes above 64
/// \param n_threads  how many pieces of work at a time; the result does not depend on it
std::vector<RootEffect> root_effects(std::uint64_t seed, const std::vector<std::size_t>& sizes,
                                     std::size_t n_keys, bool quick, std::size_t n_threads);

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

// ---------------------------------------------------------------- keys of equal length

/// How far the weights of the Gaussian kernel and of the dot product are apart when the
/// lengths of the keys spread.
/// \param spread  standard deviation of the logarithm of the keys' length; 0: equal lengths
/// \returns       the largest difference of two weights, over 200 queries and 16 keys, d = 8
double gaussian_minus_dot(std::uint64_t seed, double spread);

// ---------------------------------------------------------------- why softmax

/// What a normaliser does right.
struct NormaliserProperties
{
    std::string name;     ///< of the normaliser
    bool on_simplex;      ///< no weight is negative, each row sums to 1
    bool keeps_order;     ///< a higher score never gets a smaller weight
    bool ignores_shift;   ///< adding 1 to all scores changes no weight
    bool answers_a_nudge; ///< a little more score is a little more weight: slope .001 to 1000
};

/// Tries each normaliser on the scores 2, 1, -1 and 0.5, 0.25, 0.125 and 1, -1, 0: as they
/// are, with 1 added to all, and with the second raised by 1e-6. A verdict is true if it holds
/// for all three rows.
std::vector<NormaliserProperties> check_normalisers();

} // namespace attn::scoring_functions
