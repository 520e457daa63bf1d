/// \file
/// \brief What the program of chapter 1 measures, as functions that its tests ask as well.
#pragma once

#include "chapters/01_lookup/lookup.hpp"

#include <cstddef>
#include <vector>

namespace attn::lookup {

/// A table to look things up in, and what is asked of it.
struct Question
{
    Matrix keys;    ///< [n_keys, d_k]
    Matrix values;  ///< [n_keys, d_v]
    Matrix queries; ///< [n_queries, d_k]
};

/// Soft lookup of one query at one temperature after another.
/// \param question      its first query is asked
/// \param temperatures  [n_temperatures], each positive
/// \returns             weights [n_temperatures, n_keys], context [n_temperatures, d_v], and
///                      the scores, the same in each row
/// \throws ContractError as attend does
Attention along_temperatures(const Question& question, const Score& score,
                             const Vector& temperatures);

/// Which key a hard lookup returns at each point of a square grid of queries.
struct WinnerMap
{
    Matrix queries;                   ///< [n_points, 2]
    std::vector<std::size_t> nearest; ///< [n_points], by distance
    std::vector<std::size_t> dot;     ///< [n_points], by dot product
};

/// Asks a grid of queries for their nearest key and for the key of the largest dot product.
/// On a tie, or a difference below 1e-9, the key that stands first is named.
/// \param keys    [n_keys, 2]
/// \param low     the smallest coordinate of a query
/// \param high    the largest coordinate of a query
/// \param n_side  grid points along each side, at least 2
/// \throws ContractError if the keys are not points of the plane or n_side is below 2
WinnerMap winner_map(const Matrix& keys, double low, double high, std::size_t n_side);

/// The share of a map's points at which the dot product returns another key than the nearest.
/// \returns between 0 and 1
double disagreement(const WinnerMap& map);

} // namespace attn::lookup
