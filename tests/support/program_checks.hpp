/// \file
/// \brief What the test of every chapter's program asks of it: one sentence for whatever cannot
/// be used, and no file where none was asked for.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace attn::testing {

/// Something that a reader may give a program and that it cannot use.
struct BadInputCase
{
    std::string what;                   ///< in a few words, for a failure of the test
    std::string table;                  ///< content of table.csv in the program's folder
    std::vector<std::string> arguments; ///< of the program
    std::vector<std::string> says;      ///< parts of the sentence with which it refuses
};

/// Checks that a program refuses it: exit code 2, one sentence behind the program's name on
/// standard error and nothing else, the table untouched and no file beside it.
inline void check_refused(const std::filesystem::path& program, const BadInputCase& bad)
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "table.csv", std::ios::binary) << bad.table;
    const ProgramRun run = run_program(program, bad.arguments, scratch.path());
    INFO(bad.what << ", stderr: " << run.err);
    CHECK(run.exit_code == 2);
    for (const std::string& part : bad.says) {
        CHECK_THAT(run.err, contains(part));
    }
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
    CHECK(run.err.rfind(program.filename().string() + ": ", 0) == 0);
    CHECK(run.out.empty());

    // Nothing that existed is lost, and nothing half done is left.
    std::ifstream kept(scratch.path() / "table.csv", std::ios::binary);
    CHECK(std::string(std::istreambuf_iterator<char>(kept), {}) == bad.table);
    CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}

/// Runs a program in an empty folder, and checks that it leaves the folder empty.
inline ProgramRun run_leaving_nothing(const std::filesystem::path& program,
                                      const std::vector<std::string>& arguments)
{
    const ScratchFolder scratch;
    const ProgramRun run = run_program(program, arguments, scratch.path());
    CHECK(std::filesystem::is_empty(scratch.path()));
    return run;
}

/// What a program prints with --quick, and checksums of the files that it writes.
inline std::string quick_output(const std::filesystem::path& program, const std::string& seed,
                                const std::string& threads)
{
    const ScratchFolder scratch;
    const ProgramRun run =
        run_program(program, {"--quick", "--checksums", "--seed", seed, "--threads", threads},
                    scratch.path());
    CHECK(run.exit_code == 0);
    return run.out;
}

/// Checks that a program prints and writes the same with one thread and with two, and something else
/// with another seed.
inline void check_seed_decides(const std::filesystem::path& program)
{
    const std::string one = quick_output(program, "2", "1");
    CHECK(one == quick_output(program, "2", "2"));
    CHECK(one != quick_output(program, "3", "2"));
}

} // namespace attn::testing
