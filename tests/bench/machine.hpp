/// \file
/// \brief What every measurement of time ends with: the machine it was taken on, and the file it
/// is kept in.
#pragma once

#include "tests/bench/goals.hpp"

#include <string>
#include <vector>

namespace attn::bench {

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
