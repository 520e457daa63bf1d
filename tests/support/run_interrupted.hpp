/// \file
/// \brief Runs a program as a reader who presses Ctrl-C.
#pragma once

#include "tests/support/run_program.hpp"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>

namespace attn::testing {

/// \returns whether a running process has said what SIGINT is to do
inline bool listens_to_interrupts(pid_t process)
{
    std::ifstream status(fmt::format("/proc/{}/status", process));
    const std::string name = "SigCgt:";
    for (std::string line; std::getline(status, line);) {
        if (line.rfind(name, 0) == 0) {
            return (std::stoull(line.substr(name.size()), nullptr, 16) >> (SIGINT - 1) & 1) !=
                   0;
        }
    }
    return false;
}

/// Runs a program, and sends it SIGINT as soon as it listens.
/// \returns how it ended; after a minute it is ended in any case
inline ProgramRun run_interrupted(const std::filesystem::path& program,
                                  const std::vector<std::string>& arguments,
                                  const std::filesystem::path& working_directory)
{
    // As in the foreground of a shell: a SIGINT that is ignored here would be ignored there.
    void (*const before)(int) = std::signal(SIGINT, SIG_DFL);
    const ProgramRun run =
        run_program(program, arguments, working_directory, [](pid_t process) {
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
            bool sent = false;
            for (siginfo_t ended{}; ended.si_pid == 0; waitid(
                     P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT)) {
                if (!sent && listens_to_interrupts(process)) {
                    kill(process, SIGINT);
                    sent = true;
                }
                if (std::chrono::steady_clock::now() > deadline) {
                    kill(process, SIGKILL);
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        });
    std::signal(SIGINT, before);
    return run;
}

} // namespace attn::testing
