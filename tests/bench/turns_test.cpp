/// \file
/// \brief Tests of turns.hpp: who runs when, and who counts.
#include "tests/bench/turns.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace {

using attn::bench::Candidate;

/// Long enough on either clock that a sample is one run.
void work()
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
    const std::clock_t last = std::clock() + CLOCKS_PER_SEC / 300;
    while (std::chrono::steady_clock::now() < end || std::clock() < last) {
    }
}

} // namespace

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
