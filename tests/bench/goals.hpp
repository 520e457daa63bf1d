/// \file
/// \brief What was to be reached, written down before anything was built, and what a benchmark
/// measured of it. Every benchmark keeps its own; goals_table.cpp makes one table of them. Deliberately
/// judges nothing but whether a bound holds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attn::bench {

/// One line of the table: a bound, and what was measured at each of some sizes.
struct Goal
{
    std::string what;     ///< which computation, on what; without a comma, like the next two
    std::string sizes;    ///< what the measured numbers belong to, separated by spaces
    std::string unit;     ///< of the bound and of what was measured
    double bound;         ///< each number is to be at least, or at most, this
    bool at_least = true; ///< which of the two
    std::vector<double> measured; ///< one for each size

    /// \returns how many of the numbers keep the bound
    std::size_t n_reached() const;
};

/// Keeps goals, one a line.
/// \param goals  what a benchmark measured
/// \param file   is replaced; its folder is made
/// \throws program::BadInput if it cannot be written
void keep_goals(const std::vector<Goal>& goals, const std::filesystem::path& file);

/// \param file  as keep_goals wrote it
/// \returns     the goals in it, in their order
/// \throws program::BadInput if it cannot be read, or was not written by keep_goals; the message
///         names the line
std::vector<Goal> kept_goals(const std::filesystem::path& file);

} // namespace attn::bench
