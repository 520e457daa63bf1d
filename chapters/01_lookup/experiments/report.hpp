/// \file
/// \brief What the program of chapter 1 prints and writes, one function an experiment.
#pragma once

#include "chapters/01_lookup/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// The program's tables and files.
namespace attn::lookup::report {

/// A table of data with the roles of its columns.
struct NamedTable
{
    std::vector<std::string> key_names; ///< [d_k]
    std::string value_name;             ///< of the one column of values
    Question question;                  ///< keys, values and queries
};

/// Prints every lookup's weights and answer for one query.
/// \param temperature  of the soft lookup
void lookups(program::Frame& frame, const NamedTable& table, std::size_t query, std::size_t k,
             double temperature);

/// Prints and writes what the temperature does to the table's last query.
void temperatures(program::Frame& frame, const NamedTable& table);

/// Prints and writes where the dot product returns another key than the nearest.
void longest_key(program::Frame& frame);

/// Writes the paths of the pencil example's contexts through the triangle of its values.
void hull(program::Frame& frame);

/// Writes what the temperature slider of the page shows.
void slider(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::lookup::report
