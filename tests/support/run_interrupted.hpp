/// \file
/// \brief Runs a program as a reader who presses Ctrl-C.
#pragma once

#include "common/program/atomic_file.hpp"
#include "tests/support/run_program.hpp"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace attn::testing {

/// \returns whether it has said what SIGINT is to do
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
    const ScratchFolder said; // what it prints goes into files: nobody need read along
    const std::string out = said.path() / "out";
    const std::string err = said.path() / "err";
    std::string file = program.string();
    std::vector<std::string> words = arguments;
    std::vector<char*> argv = {file.data()};
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);

    // As in the foreground of a shell; spawned, since a fork of a process with threads may hang.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t to_default;
    sigemptyset(&to_default);
    sigaddset(&to_default, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &to_default);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int flags = O_WRONLY | O_CREAT;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, working_directory.c_str());
    pid_t child = 0;
    const int error = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), program.string());
    }

    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    int status = 0;
    bool sent = false;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (!sent && listens_to_interrupts(child)) {
            kill(child, SIGINT);
            sent = true;
        }
        if (std::chrono::steady_clock::now() > deadline) {
            kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            program::read_file(out), program::read_file(err)};
}

} // namespace attn::testing
