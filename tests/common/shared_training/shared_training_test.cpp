/// \file
/// \brief Trainings of the programs of chapters 12 and 13 that processes of mpirun share: the bits of
/// one process, one voice, and an end of all if one ends.
#include "common/program/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

using namespace attn::testing;
namespace fs = std::filesystem;

namespace {

/// What mpirun of Open MPI needs where there are fewer cores than processes, in containers and for
/// root.
class MpiEnvironment
{
public:
    MpiEnvironment()
    {
        for (const char* const name :
             {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
              "OMPI_MCA_rmaps_base_oversubscribe"}) {
            variables_.push_back(std::make_unique<WithEnvironment>(name, "1"));
        }
        variables_.push_back(std::make_unique<WithEnvironment>(
            "OMPI_MCA_btl_vader_single_copy_mechanism", "none"));
    }

private:
    std::vector<std::unique_ptr<WithEnvironment>> variables_;
};

/// Says that there is nothing to test without MPI.
bool has_mpirun()
{
    if (std::string(ATTN_MPIRUN).empty()) {
        WARN("not tested: MPI was not found (Debian and Ubuntu: libopenmpi-dev, openmpi-bin)");
        return false;
    }
    return true;
}

/// Runs a program in several processes.
/// \param n  0: without mpirun
ProgramRun run_shared(std::size_t n, const std::string& program,
                      const std::vector<std::string>& arguments, const fs::path& folder,
                      const std::function<void(pid_t)>& meanwhile = {})
{
    const MpiEnvironment environment;
    if (n == 0) {
        return run_program(program, arguments, folder, meanwhile);
    }
    std::vector<std::string> all = {"-n", std::to_string(n), program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(ATTN_MPIRUN, all, folder, meanwhile);
}

/// How often the program has said something, mpirun's own words not counted.
std::size_t n_sentences(const std::string& text, const std::string& program)
{
    std::size_t n = 0;
    const std::string beginning = fs::path(program).filename().string() + ": ";
    for (std::size_t at = text.find(beginning); at != std::string::npos;
         at = text.find(beginning, at + 1)) {
        ++n;
    }
    return n;
}

void write_text(const fs::path& folder)
{
    std::string text;
    for (std::size_t i = 0; i < 40; ++i) {
        text += "the cat sees the dog and the dog sees the cat , but the bird sees neither .\n";
    }
    attn::program::write_file(folder / "text.txt", text);
}

std::vector<std::string> training(const std::string& file, const std::string& n_steps)
{
    return {"--text", "text.txt", "--steps", n_steps, "--threads", "1", "--save", file};
}

/// The process of a rank that a mpirun has started, once its training listens to SIGINT.
std::optional<pid_t> training_process(pid_t mpirun, const std::string& rank)
{
    std::error_code ignored;
    for (const fs::directory_entry& one : fs::directory_iterator("/proc", ignored)) {
        std::ifstream status(one.path() / "status");
        bool child = false;
        bool listens = false;
        for (std::string line; std::getline(status, line);) {
            child = child || line == "PPid:\t" + std::to_string(mpirun);
            listens =
                listens || (line.rfind("SigCgt:", 0) == 0 &&
                            (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1));
        }
        std::ifstream environment(one.path() / "environ", std::ios::binary);
        const std::string variables(std::istreambuf_iterator<char>(environment), {});
        if (child && listens &&
            variables.find("OMPI_COMM_WORLD_RANK=" + rank + '\0') != std::string::npos) {
            return std::stoi(one.path().filename().string());
        }
    }
    return std::nullopt;
}

/// Waits until a process trains, and does something then.
std::function<void(pid_t)> while_training(const std::string& rank,
                                          const std::function<void(pid_t, pid_t)>& act)
{
    return [rank, act](pid_t mpirun) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (std::chrono::steady_clock::now() < deadline) {
            if (const std::optional<pid_t> process = training_process(mpirun, rank)) {
                act(mpirun, *process);
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        kill(mpirun, SIGKILL);
    };
}

} // namespace

TEST_CASE("one, two, three and eight processes save what one without mpirun saves", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    write_text(folder.path());
    std::vector<std::string> alone = training("0", "3");
    alone.insert(alone.end(), {"--parts", "8"});
    REQUIRE(run_shared(0, ATTN_LANGUAGE_MODELS, alone, folder.path()).exit_code == 0);
    const std::string saved = attn::program::read_file(folder.path() / "0");
    for (const std::size_t n : {1U, 2U, 3U, 8U}) {
        const std::string file = std::to_string(n);
        const ProgramRun run =
            run_shared(n, ATTN_LANGUAGE_MODELS, training(file, "3"), folder.path());
        CAPTURE(n, run.err);
        REQUIRE(run.exit_code == 0);
        CHECK_THAT(run.out, contains("loss on the last tenth"));
        CHECK(run.out.find("loss on the last tenth") ==
              run.out.rfind("loss on the last tenth"));
        CHECK((attn::program::read_file(folder.path() / file) == saved));
    }
}

TEST_CASE("processes that share a translator save what one saves", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    std::string saved;
    for (const std::size_t n : {0U, 3U}) {
        const std::string file = std::to_string(n);
        const ProgramRun run = run_shared(
            n, ATTN_TRANSFORMER,
            {"--quick", "--steps", "2", "--threads", "1", "--parts", "8", "--save", file},
            folder.path());
        CAPTURE(n, run.err);
        REQUIRE(run.exit_code == 0);
        const std::string now = attn::program::read_file(folder.path() / file);
        CHECK((saved.empty() || now == saved));
        saved = now;
    }
}

TEST_CASE("what no process can use is said once", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    write_text(folder.path());
    const auto refused = [&](std::size_t n, const std::string& program,
                             const std::vector<std::string>& arguments,
                             const std::string& part) {
        const ProgramRun run = run_shared(n, program, arguments, folder.path());
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK_THAT(run.err, contains(part));
        CHECK(n_sentences(run.err, program) == 1);
        CHECK(run.out.empty());
    };
    refused(3, ATTN_LANGUAGE_MODELS, {"--text", "nothing.txt"}, "nothing.txt");
    refused(2, ATTN_LANGUAGE_MODELS, {"--trace"}, "can only share the training");
    refused(3, ATTN_LANGUAGE_MODELS, {"--text", "text.txt", "--parts", "2"}, "--parts 3");
    refused(2, ATTN_LOOKUP, {}, "computes in one");
}

TEST_CASE("processes with different texts stop in one sentence", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    write_text(folder.path());
    const std::string text = attn::program::read_file(folder.path() / "text.txt");
    attn::program::write_file(folder.path() / "0.txt", text);
    attn::program::write_file(folder.path() / "1.txt", text + "the end .\n");
    const std::string command = "exec \"$0\" --text $OMPI_COMM_WORLD_RANK.txt --save model";
    const ProgramRun run =
        run_shared(2, "sh", {"-c", command, ATTN_LANGUAGE_MODELS}, folder.path());
    CAPTURE(run.err);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.err,
               contains("process 1 was given another text, or other options, than process 0"));
    CHECK(n_sentences(run.err, ATTN_LANGUAGE_MODELS) == 1);
    CHECK_FALSE(fs::exists(folder.path() / "model"));
}

TEST_CASE("one process that is killed ends all, and what was saved stays", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    write_text(folder.path());
    attn::program::write_file(folder.path() / "model", "an earlier one");
    const ProgramRun run = run_shared(
        3, ATTN_LANGUAGE_MODELS, training("model", "100000"), folder.path(),
        while_training("1", [](pid_t /*mpirun*/, pid_t process) { kill(process, SIGKILL); }));
    CAPTURE(run.err);
    CHECK(run.exit_code != 0);
    CHECK_THAT(run.err, contains("signal 9"));
    CHECK(n_sentences(run.err, ATTN_LANGUAGE_MODELS) == 0);
    CHECK(attn::program::read_file(folder.path() / "model") == "an earlier one");
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("Ctrl-C saves once, and other processes go on from there", "[mpi]")
{
    if (!has_mpirun()) {
        return;
    }
    const ScratchFolder folder;
    write_text(folder.path());
    const ProgramRun whole =
        run_shared(2, ATTN_LANGUAGE_MODELS, training("whole", "120"), folder.path());
    REQUIRE(whole.exit_code == 0);
    const ProgramRun stopped = run_shared(
        2, ATTN_LANGUAGE_MODELS, training("stopped", "120"), folder.path(),
        while_training("0", [](pid_t mpirun, pid_t /*process*/) { kill(mpirun, SIGINT); }));
    CAPTURE(stopped.err);
    CHECK(stopped.exit_code != 0);
    CHECK(n_sentences(stopped.err, ATTN_LANGUAGE_MODELS) == 1);
    CHECK_THAT(stopped.err, contains("was interrupted after step"));
    std::vector<std::string> resumed = training("resumed", "120");
    resumed.insert(resumed.end(), {"--resume", "stopped"});
    const ProgramRun last = run_shared(3, ATTN_LANGUAGE_MODELS, resumed, folder.path());
    CAPTURE(last.err);
    REQUIRE(last.exit_code == 0);
    CHECK((attn::program::read_file(folder.path() / "resumed") ==
           attn::program::read_file(folder.path() / "whole")));
}
