/// \file
/// \brief What every measurement of time ends with: the machine it was taken on, and the file it
/// is kept in. Deliberately no clock: what is timed, and how, is each benchmark's business.
#pragma once

#include <string>

namespace attn::bench {

/// Prints a report with the processor's name below it, and keeps it.
/// \param report  ends with a line break
/// \param argc    of main
/// \param argv    of main; the first argument names the file, if there is one
/// \returns       what main returns: 0, or 2 if the file cannot be written
int write_report(const std::string& report, int argc, char** argv);

} // namespace attn::bench
