/// \file
/// \brief The frame of every program, seen from outside: what is printed, and the exit code.
#include "common/program/files.hpp"
#include "common/program/run.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

using namespace attn::program;
using attn::testing::contains;
using attn::testing::ScratchFolder;

namespace fs = std::filesystem;

namespace {

using Body = std::function<void(Frame&)>;

struct Outcome
{
    int exit_code = -1; ///< stays so if a signal ended the program
    std::string out;
    std::string err;
};

/// Makes a file another process' standard stream.
void redirect(int stream, const fs::path& file)
{
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(opened, stream);
    close(opened);
}

/// Runs a program in a process of its own, in a given folder.
Outcome run_there(
    const fs::path& folder, const std::vector<std::string>& arguments, const Body& body,
    const std::function<void()>& prepare = [] {})
{
    const ScratchFolder streams;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGPIPE, SIG_DFL);
        redirect(STDOUT_FILENO, streams.path() / "out");
        redirect(STDERR_FILENO, streams.path() / "err");
        fs::current_path(folder);
        prepare();
        CommandLine command_line({"07_toy", "Why?", "build/bin/07_toy"});
        std::vector<const char*> argv = {"07_toy"};
        for (const std::string& argument : arguments) {
            argv.push_back(argument.c_str());
        }
        const int exit_code =
            run(static_cast<int>(argv.size()), argv.data(), command_line, body);
        std::fflush(nullptr);
        _exit(exit_code);
    }
    Outcome outcome;
    int status = 0;
    waitpid(child, &status, 0);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.out = read_file(streams.path() / "out");
    outcome.err = read_file(streams.path() / "err");
    return outcome;
}

Outcome run_it(const std::vector<std::string>& arguments, const Body& body)
{
    const ScratchFolder scratch;
    return run_there(scratch.path(), arguments, body);
}

template <class Error>
Outcome run_throwing(const Error& error)
{
    return run_it({}, [&](Frame&) { throw error; });
}

} // namespace

TEST_CASE("a program prints, writes and ends with what it wrote", "[program]")
{
    const ScratchFolder scratch;
    const Outcome outcome = run_there(scratch.path(), {"--seed", "9"}, [](Frame& frame) {
        frame.terminal.line("seed " + std::to_string(frame.options.seed));
        frame.files.write_text("a.csv", "x\n");
    });
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "seed 9\n\nwritten to out/07_toy: a.csv\n");
    CHECK(outcome.err.empty());
    CHECK(read_file(scratch.path() / "out/07_toy/a.csv") == "x\n");
}

TEST_CASE("a program asked for checksums ends with them", "[program]")
{
    const Outcome outcome = run_it({"--checksums"}, [](Frame& frame) {
        frame.files.write_text("a.csv", "a");
        frame.terminal.line("text");
    });
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "text\n\nwritten to out/07_toy, with checksums (64-bit FNV-1a):\n"
                         "  af63dc4c8601ec8c a.csv\n");
    CHECK(run_it({"--checksums"}, [](Frame&) {}).out.empty());
}

TEST_CASE("a program that writes nothing leaves nothing", "[program]")
{
    const ScratchFolder scratch;
    const Outcome outcome = run_there(scratch.path(), {}, [](Frame&) {});
    CHECK(outcome.out.empty());
    CHECK(fs::is_empty(scratch.path()));
}

TEST_CASE("files go where --out says", "[program]")
{
    const ScratchFolder scratch;
    const Body body = [](Frame& frame) { frame.files.write_text("a.csv", "x\n"); };
    const std::string folder = "it's \"my\" folder/$HOME";
    CHECK(run_there(scratch.path(), {"--out", folder}, body).exit_code == 0);
    CHECK(read_file(scratch.path() / folder / "a.csv") == "x\n");

    const Outcome refused = run_there(scratch.path(), {"--out", folder + "/a.csv"}, body);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err == "07_toy: the output folder '" + folder + "/a.csv' is a file\n");
    CHECK(read_file(scratch.path() / folder / "a.csv") == "x\n");
}

TEST_CASE("each kind of failure has its exit code and one sentence", "[program]")
{
    struct Failure
    {
        Outcome outcome;
        int exit_code;
        std::string says;
    };
    for (const auto& [outcome, exit_code, says] :
         {Failure{run_throwing(BadInput("cars.csv is empty")), 2, "cars.csv is empty"},
          Failure{run_throwing(attn::ContractError("f: x is 0")), 2, "f: x is 0"},
          Failure{run_throwing(Interrupted("stopped after step 3")), 130,
                  "stopped after step 3"},
          Failure{run_throwing(std::runtime_error("broken")), 1, "broken"},
          Failure{run_throwing(std::bad_alloc()), 1, "there is not enough memory"},
          Failure{run_it({"--sed", "1"}, [](Frame&) {}), 2,
                  "'--sed' is not an option; did you mean --seed?"}}) {
        CHECK(outcome.exit_code == exit_code);
        CHECK(outcome.err == "07_toy: " + says + "\n");
        CHECK(outcome.out.empty());
    }
    CHECK(run_throwing(42).exit_code == 1);
}

TEST_CASE("help and version are printed instead of running", "[program]")
{
    const Body never = [](Frame&) { throw std::runtime_error("ran"); };
    for (const std::string option : {"--help", "-h"}) {
        const Outcome help = run_it({option}, never);
        CHECK(help.exit_code == 0);
        CHECK_THAT(help.out, contains("07_toy: Why?\n\nUsage: 07_toy [options]\n"));
        CHECK_THAT(help.out, contains("\nExample:\n  build/bin/07_toy\n"));
        CHECK(help.out.substr(help.out.size() - 2) == "y\n");
        CHECK(help.err.empty());
    }
    const Outcome version = run_it({"--version"}, never);
    CHECK(version.exit_code == 0);
    CHECK(version.out.rfind("07_toy ", 0) == 0);
}

TEST_CASE("a full disk behind standard output is told", "[program]")
{
    const ScratchFolder scratch;
    const Body body = [](Frame& frame) { frame.terminal.line("text"); };
    const auto fill = [] { redirect(STDOUT_FILENO, "/dev/full"); };
    for (const std::string option : {"--quick", "--help", "--version"}) {
        const Outcome outcome = run_there(scratch.path(), {option}, body, fill);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err == "07_toy: the output cannot be written: No space left on device\n");
    }
}

TEST_CASE("a closed standard output is told, and no file takes its place", "[program]")
{
    const ScratchFolder scratch;
    const Body body = [](Frame& frame) { frame.files.write_text("a.csv", "x\n"); };
    const Outcome closed = run_there(scratch.path(), {}, body, [] { close(STDOUT_FILENO); });
    CHECK(closed.exit_code == 2);
    CHECK(closed.err == "07_toy: the output cannot be written: standard output is closed\n");

    const Body warns = [](Frame& frame) {
        std::ofstream file("file");
        frame.terminal.warn("lost");
        frame.files.write_text("a.csv", "x\n");
    };
    const Outcome others = run_there(scratch.path(), {}, warns, [] {
        close(STDIN_FILENO);
        close(STDERR_FILENO);
    });
    CHECK(others.exit_code == 0);
    CHECK(read_file(scratch.path() / "file").empty());
    CHECK(read_file(scratch.path() / "out/07_toy/a.csv") == "x\n");
}

TEST_CASE("a pipe closed by its reader ends nothing and is not an error", "[program]")
{
    const ScratchFolder scratch;
    const Body body = [](Frame& frame) {
        for (int i = 0; i < 1000; ++i) {
            frame.terminal.line("a line that nobody reads");
        }
        frame.files.write_text("a.csv", "x\n");
    };
    const Outcome outcome = run_there(scratch.path(), {}, body, [] {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) == 0) {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            close(ends[1]);
        }
    });
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(read_file(scratch.path() / "out/07_toy/a.csv") == "x\n");
}
