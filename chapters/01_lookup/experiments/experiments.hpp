/// \file
/// \brief The experiments of chapter 1, in the order of its page: what each lookup answers, what
/// the temperature of the soft one does, and where the dot product returns another key.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::lookup {

// ---------------- what each lookup answers

/// What attention is given.
struct AttentionInputs
{
    Matrix keys;    ///< [n_keys, d_k]
    Matrix values;  ///< [n_keys, d_v]
    Matrix queries; ///< [n_queries, d_k]
};

/// A table of data with the roles of its columns.
struct NamedTable
{
    std::vector<std::string> key_names; ///< [d_k]
    std::string value_name;             ///< of the one column of values
    AttentionInputs inputs;             ///< keys, values and queries
};

/// Prints the scores, and every lookup's weights and answer for one query.
/// \param temperature  of the soft lookup
void show_lookups(program::Frame& frame, const NamedTable& table, std::size_t query,
                  std::size_t k, double temperature);

// ---------------- a query that moves

/// Answers many queries by the distance score at a time.
/// \param table    of keys that are numbers
/// \param queries  [n_queries]
Attention answers_along(const NamedTable& table, const Vector& queries,
                        const Normaliser& normaliser);

/// Prints and writes how the nearest and the soft answer follow a query that moves.
/// \param table  of keys that are numbers
void show_moving_query(program::Frame& frame, const NamedTable& table);

// ---------------- the temperature

/// Soft lookup of one query at one temperature after another.
/// \param inputs        of which the first query counts
/// \param temperatures  [n_temperatures], each positive
/// \returns             weights [n_temperatures, n_keys], context [n_temperatures, d_v], and
///                      the scores, the same in each row
/// \throws ContractError as attend does
Attention along_temperatures(const AttentionInputs& inputs, const Score& score,
                             const Vector& temperatures);

/// Prints and writes what the temperature does to the table's last query.
void show_temperatures(program::Frame& frame, const NamedTable& table);

// ---------------- a key that must not count

/// Prints what becomes of the soft lookup when the nearest reading must not count: its score
/// set to minus infinity, or to 0, or its weight set to 0 afterwards.
/// \param table  of keys that are numbers
void show_masks(program::Frame& frame, const NamedTable& table);

// ---------------- the nearest key, and that of the largest dot product

/// Which key a hard lookup returns at each point of a square grid of queries.
struct WinnerMap
{
    Matrix queries;                   ///< [n_points, 2]
    std::vector<std::size_t> nearest; ///< [n_points], by distance
    std::vector<std::size_t> dot;     ///< [n_points], by dot product
    std::size_t n_farther = 0;        ///< points whose every key by dot product is farther
};

/// Asks a grid of queries for their nearest key and for the key of the largest dot product.
/// On a tie, or a difference below 1e-9, the key that stands first is named; whether the dot
/// product returns a farther key does not depend on the order of the keys.
/// \param keys    [n_keys, 2]
/// \param low     the smallest coordinate of a query
/// \param high    the largest coordinate of a query
/// \param n_side  grid points along each side, at least 2
/// \throws ContractError if the keys are not points of the plane or n_side is below 2
WinnerMap winner_map(const Matrix& keys, double low, double high, std::size_t n_side);

/// The share of a map's points at which no key of the largest dot product is a nearest one.
/// \returns between 0 and 1
double disagreement(const WinnerMap& map);

/// Prints and writes where the dot product returns another key than the nearest.
void show_longest_key(program::Frame& frame);

// ---------------- the hull of the values

/// Writes the paths of the pencil example's contexts through the triangle of its values.
void show_hull(program::Frame& frame);

// ---------------- the temperature slider

/// Writes what the temperature slider of the page shows.
void show_slider(program::Frame& frame);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::lookup
