/// \file
/// \brief Tests of report.hpp, of the program that makes one table of all goals, and of
/// turns.hpp: who runs when, and who counts.
#include "tests/bench/report.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/tensor/check.hpp"
#include "tests/bench/turns.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace {

using attn::bench::Candidate;
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
                   .measured = {}};

/// Makes the table of a file with one line after a good one.
ProgramRun table_with(const attn::testing::ScratchFolder& folder, const std::string& line)
{
    const auto kept = folder.path() / "kept.csv";
    write_file(kept, "attention,1024 tokens,81,≥ 80 % of the peak,yes\n" + line + "\n");
    return attn::testing::run_program(ATTN_BENCH_GOALS, {"table.txt", "kept.csv"},
                                      folder.path());
}

/// Long enough on either clock that a sample is one run.
void work()
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
    const std::clock_t last = std::clock() + CLOCKS_PER_SEC / 300;
    while (std::chrono::steady_clock::now() < end || std::clock() < last) {
    }
}

} // namespace

TEST_CASE("the table of goals joins what several benchmarks kept", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    Goal at_the_bound = shorter;
    at_the_bound.measured = {0.55};
    Goal missed = shorter;
    missed.measured = {0.56};
    attn::bench::keep_goals({faster}, folder.path() / "made for it" / "training_steps.csv");
    attn::bench::keep_goals({at_the_bound, missed}, folder.path() / "attention.csv");
    const ProgramRun run = attn::testing::run_program(
        ATTN_BENCH_GOALS, {"table.txt", "made for it/training_steps.csv", "attention.csv"},
        folder.path());
    CHECK(run.err.empty());
    REQUIRE(run.exit_code == 0);
    CHECK(read_file(folder.path() / "table.txt") == run.out);
    CHECK_THAT(run.out,
               contains("4.50 4.25") && contains("≥ 4.40 times PyTorch") && contains("1 of 2"));
    CHECK_THAT(run.out, contains("≤ 0.55 of the full one's time") && contains(" yes") &&
                            contains(" no"));
}

TEST_CASE("the table of goals refuses a malformed line with one sentence", "[bench]")
{
    const attn::testing::ScratchFolder folder;
    const std::string begin = "product,512 square,1.50";
    const auto refused = [&](const std::string& line, const std::string& why) {
        CAPTURE(line);
        const ProgramRun run = table_with(folder, line);
        CHECK(run.exit_code == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, contains("kept.csv, line 2") && contains(why));
        CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
        CHECK_FALSE(std::filesystem::exists(folder.path() / "table.txt"));
    };
    refused(begin, "a goal has 5 cells, here are 3");
    refused(begin + ",yes,", "a goal has 5 cells, here are 4");
    refused(begin + ",yes,2,3", "a goal has 5 cells, here are 6");
    CHECK(table_with(folder, begin + ",≥ 1,yes").exit_code == 0);
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

TEST_CASE(
    "candidates are timed in turns, after their preparation and a run that does not count",
    "[bench]")
{
    const std::size_t n_threads = GENERATE(std::size_t{1}, std::size_t{2});
    std::string order;
    const auto candidate = [&](char name) {
        return Candidate{std::string(1, name), n_threads,
                         [&order, name] {
                             order += name;
                             work();
                         },
                         [&order] { order += '|'; }};
    };
    std::vector<Candidate> candidates = {candidate('a'), candidate('b')};
    attn::bench::time_in_turns(candidates, {.n_turns = 2, .n_samples = 2});
    CHECK(order == "|aaa|bbb|aaa|bbb");
    for (const Candidate& one : candidates) {
        CHECK(one.samples.size() == 4);
        CHECK(one.best() > 0);
        CHECK(one.best() <= one.median());
    }
}

TEST_CASE("a sample of something short is many runs", "[bench]")
{
    std::size_t n_runs = 0;
    std::vector<Candidate> candidates = {{"short", 1, [&] { ++n_runs; }}};
    attn::bench::time_in_turns(candidates, {.n_turns = 1, .n_samples = 1});
    CHECK(n_runs > 100);
    CHECK(candidates[0].best() < 0.01);
}

TEST_CASE("a peer is measured by its fastest way", "[bench]")
{
    const std::vector<Candidate> candidates = {{"ours", 1, {}, {}, {1}},
                                               {"peer, one way", 1, {}, {}, {4, 5}},
                                               {"peer, another", 1, {}, {}, {9, 3}}};
    CHECK(&attn::bench::fastest(candidates, "peer") == &candidates[2]);
    CHECK(&attn::bench::fastest(candidates, "peer, one") == &candidates[1]);
    CHECK_THROWS_AS(attn::bench::fastest(candidates, "nobody"), attn::ContractError);
}
