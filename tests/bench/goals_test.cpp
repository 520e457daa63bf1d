/// \file
/// \brief Tests of goals.hpp, and of the program that makes one table of all goals.
#include "tests/bench/goals.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using attn::bench::Goal;
using attn::program::read_file;
using attn::program::write_file;
using attn::testing::contains;
using attn::testing::ProgramRun;

const Goal faster{.what = "training step; GRU 64",
                  .sizes = "best median",
                  .unit = "times PyTorch",
                  .bound = 4.4,
                  .measured = {4.5, 4.25}};
const Goal shorter{.what = "causal attention",
                   .sizes = "4096 tokens",
                   .unit = "of the full one's time",
                   .bound = 0.55,
                   .at_least = false,
                   .measured = {0.5}};

/// Makes the table of a file with one line after a good one.
ProgramRun table_with(const attn::testing::ScratchFolder& folder, const std::string& line)
{
    const auto kept = folder.path() / "kept.csv";
    write_file(kept, "attention,1024 tokens,% of the peak,at least,80,81.5\n" + line + "\n");
    return attn::testing::run_program(ATTN_BENCH_GOALS, {"table.txt", "kept.csv"},
                                      folder.path());
}

} // namespace

TEST_CASE("a goal counts the numbers that keep its bound", "[bench]")
{
    CHECK(faster.n_reached() == 1);
    CHECK(shorter.n_reached() == 1);
    Goal at_the_bound = shorter;
    at_the_bound.measured = {0.55, 0.56};
    CHECK(at_the_bound.n_reached() == 1);
}

TEST_CASE("goals are read as they were kept", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    const auto file = folder.path() / "made for it" / "goals.csv";
    attn::bench::keep_goals({faster, shorter}, file);
    const std::vector<Goal> kept = attn::bench::kept_goals(file);
    REQUIRE(kept.size() == 2);
    for (const auto& [was, is] : {std::pair(faster, kept[0]), std::pair(shorter, kept[1])}) {
        CHECK(is.what == was.what);
        CHECK(is.sizes == was.sizes);
        CHECK(is.unit == was.unit);
        CHECK(is.bound == was.bound);
        CHECK(is.at_least == was.at_least);
        CHECK(is.measured == was.measured);
    }
}

TEST_CASE("the table of goals joins what several benchmarks kept", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    attn::bench::keep_goals({faster}, folder.path() / "training_steps.csv");
    attn::bench::keep_goals({shorter}, folder.path() / "attention.csv");
    const ProgramRun run = attn::testing::run_program(
        ATTN_BENCH_GOALS, {"table.txt", "training_steps.csv", "attention.csv"}, folder.path());
    CHECK(run.err.empty());
    REQUIRE(run.exit_code == 0);
    CHECK(read_file(folder.path() / "table.txt") == run.out);
    CHECK_THAT(run.out,
               contains("4.50 4.25") && contains("≥ 4.40 times PyTorch") && contains("1 of 2"));
    CHECK_THAT(run.out, contains("≤ 0.55 of the full one's time") && contains("yes"));
}

TEST_CASE("the table of goals refuses a malformed line with one sentence", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    const std::string begin = "product,512 square,times OpenBLAS";
    const auto refused = [&](const std::string& line, const std::string& why) {
        CAPTURE(line);
        const ProgramRun run = table_with(folder, line);
        CHECK(run.exit_code == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, contains("kept.csv, line 2") && contains(why));
        CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
        CHECK_FALSE(std::filesystem::exists(folder.path() / "table.txt"));
    };
    refused(begin, "a goal has 6 cells, here are 3");
    refused(begin + ",at least,1,1.5,2", "a goal has 6 cells, here are 7");
    refused(begin + ",about,1,1.5", "a bound is 'at least' or 'at most', not 'about'");
    refused(begin + ",at least,much,1.5", "'much'");
    refused(begin + ",at least,1,1.5 x", "'x'");
    refused(begin + ",at least,1, ", "a number is missing");
    CHECK(table_with(folder, begin + ",at least,1,1.5").exit_code == 0);
}

TEST_CASE("the table of goals wants files that are there", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    const auto run = [&](const std::vector<std::string>& arguments) {
        return attn::testing::run_program(ATTN_BENCH_GOALS, arguments, folder.path());
    };
    CHECK(run({"table.txt"}).exit_code == 2);
    const ProgramRun missing = run({"table.txt", "nothing.csv"});
    CHECK(missing.exit_code == 2);
    CHECK_THAT(missing.err, contains("nothing.csv"));
}
