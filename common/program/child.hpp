/// \file
/// \brief Runs another program and waits for it. There is no shell: arguments arrive as they
/// are, and standard input is empty.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace attn::program {

/// How another program ended and what it said.
struct ChildResult
{
    int exit_code = 0; ///< what it returned, or 128 + signal
    int signal = 0;    ///< the signal that ended it, or 0
    std::string out;   ///< its standard output
    std::string err;   ///< its standard error
};

/// Runs a program to its end.
/// \param program            a path, or a name that is looked for in PATH
/// \param arguments          without the program's own name
/// \param working_directory  where it runs; empty: here
/// \param meanwhile          called with its process while it runs, if given
/// \param variables          of its environment, "NAME=value", in the place of ours
/// \returns                  how it ended; nothing if there is no such program
/// \throws std::runtime_error if it cannot be started for another reason
std::optional<ChildResult> run_child(const std::string& program,
                                     const std::vector<std::string>& arguments,
                                     const std::filesystem::path& working_directory = {},
                                     const std::function<void(pid_t)>& meanwhile = {},
                                     const std::vector<std::string>& variables = {});

} // namespace attn::program
