/// \file
/// \brief The program of chapter 3: its options, and one clear sentence for what it cannot use.
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using attn::testing::contains;
using attn::testing::ProgramRun;
using attn::testing::run_program;
using attn::testing::ScratchFolder;

namespace {

/// Runs the program in an empty folder, in which it leaves nothing.
ProgramRun run(const std::vector<std::string>& arguments)
{
    const ScratchFolder scratch;
    const ProgramRun result = run_program(ATTN_PROGRAM, arguments, scratch.path());
    CHECK(std::filesystem::is_empty(scratch.path()));
    return result;
}

} // namespace

TEST_CASE("bad options end in one sentence and exit code 2", "[03][bad_input]")
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--d", "0"}, "--d: must be whole numbers from 1 to 4096, got 0"},
        {{"--d", "2.5"}, "got 2.5"},
        {{"--d", "-3"}, "got -3"},
        {{"--d", "4,nan"}, "--d"},
        {{"--d", "4,,5"}, "--d"},
        {{"--d", "4097"}, "got 4097"},
        {{"--d", "1e300"}, "got 1e+300"},
        {{"--keys", "1"}, "--keys"},
        {{"--keys", "none"}, "--keys"},
        {{"--keys", "5000"}, "--keys: must be at most 4096, got 5000"},
        {{"--trace", "--d", "4"}, "--trace"},
        {{"--dimension", "4"}, "--dimension"},
    };
    for (const auto& [arguments, words] : cases) {
        CAPTURE(arguments);
        const ProgramRun result = run(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, contains(words));
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
}

TEST_CASE("own sizes print their table and nothing else", "[03]")
{
    const ProgramRun result = run({"--d", "3,77", "--keys", "10", "--quick"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, contains("\n 3 "));
    CHECK_THAT(result.out, contains("\n77 "));
    CHECK_THAT(result.out, contains("as a share of ln"));
    CHECK_THAT(result.out, !contains("Gaussian"));
}

TEST_CASE("same seed, same output, with any number of threads, and another with another seed",
          "[03][property]")
{
    const ScratchFolder scratch;
    const auto quick = [&](const char* threads, const char* seed) {
        const ProgramRun result = run_program(
            ATTN_PROGRAM, {"--quick", "--threads", threads, "--seed", seed}, scratch.path());
        CHECK(result.exit_code == 0);
        return result.out;
    };
    const std::string one = quick("1", "2");
    CHECK(one == quick("2", "2"));
    CHECK(one != quick("2", "3"));
}
