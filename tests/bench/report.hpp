/// \file
/// \brief What every measurement of time ends with: the machine it was taken on, the file it is
/// kept in, and what was to be reached, written down before anything was built, beside what was
/// measured of it. Every benchmark keeps its own goals; goals_table.cpp makes one table of
/// them.
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
};

/// Keeps goals for the table, a line each: what, sizes, measured, wanted, reached. The file is
/// replaced, its folder made.
/// \throws program::BadInput if it cannot be written
void keep_goals(const std::vector<Goal>& goals, const std::filesystem::path& file);

/// Prints a report with the processor and the compiler below it, and keeps it.
/// \param report  ends with a line break
/// \param argc    of main
/// \param argv    of main; the first argument names the report's file, the second that of the
///                goals, if they are there
/// \param goals   what was measured of what was to be reached
/// \returns       what main returns: 0, or 2 if a file cannot be written
int write_report(const std::string& report, int argc, char** argv,
                 const std::vector<Goal>& goals = {});

} // namespace attn::bench
