/// \file
/// \brief Runs the programs of the book in tests, as a reader would, in a folder of their own.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace attn::testing {

/// How a program ended and what it said.
struct ProgramRun
{
    int exit_code;   ///< what it returned, or 128 + signal
    std::string out; ///< its standard output
    std::string err; ///< its standard error; a signal that ended it is named in a last line
};

/// Runs a program to its end. Its standard input is empty.
/// \param program  a path, or a name that is looked for in PATH
/// \param meanwhile  called with its process while it runs, if given
/// \throws std::runtime_error if it cannot be started
ProgramRun run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       const std::filesystem::path& working_directory,
                       const std::function<void(pid_t)>& meanwhile = {});

/// Runs a program as a reader who presses Ctrl-C: sends it SIGINT as soon as it listens.
/// \returns how it ended; after a minute it is ended in any case
ProgramRun run_interrupted(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::filesystem::path& working_directory);

/// An empty folder for one test, removed with all that is in it.
class ScratchFolder
{
public:
    /// Makes the folder.
    /// \throws std::system_error if that fails
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;            ///< one folder, one owner
    ScratchFolder& operator=(const ScratchFolder&) = delete; ///< one folder, one owner

    /// \returns where it is, an absolute path
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace attn::testing
