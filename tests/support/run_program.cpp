#include "tests/support/run_program.hpp"

#include "common/program/child.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>

namespace attn::testing {

namespace {

/// \returns whether a running process has said what SIGINT is to do
bool listens_to_interrupts(pid_t process)
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

} // namespace

ProgramRun run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       const std::filesystem::path& working_directory,
                       const std::function<void(pid_t)>& meanwhile)
{
    const std::optional<program::ChildResult> result =
        program::run_child(program.string(), arguments, working_directory, meanwhile);
    if (!result) {
        throw std::runtime_error("there is no program " + program.string());
    }
    ProgramRun run{result->exit_code, result->out, result->err};
    if (result->signal != 0) {
        run.err += std::string("ended by a signal: ") + strsignal(result->signal) + "\n";
    }
    return run;
}

ProgramRun run_interrupted(const std::filesystem::path& program,
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

ScratchFolder::ScratchFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "attn_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = std::filesystem::canonical(name);
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace attn::testing
