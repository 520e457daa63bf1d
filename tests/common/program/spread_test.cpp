/// \file
/// \brief Seeds and what came of them.
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace attn;
using Catch::Matchers::WithinAbs;
using program::Spread;

TEST_CASE("a spread is lowest, median and highest, in whatever order they come", "[program]")
{
    const Spread three({3.0, 1.0, 2.04});
    CHECK(three.lowest() == 1.0);
    CHECK(three.median() == 2.04);
    CHECK(three.highest() == 3.0);
    CHECK(three.text(1) == "1.0/2.0/3.0");
    CHECK(Spread({5.0, 4.0}).median() == 5.0); // of an even number the upper middle one
    CHECK_THROWS_AS(Spread({}), ContractError);
}

TEST_CASE("a spread takes one number of each thing", "[program]")
{
    const std::vector<std::vector<int>> things = {{1, 2, 3}, {1}, {1, 2}};
    const Spread sizes =
        program::spread(things, [](const std::vector<int>& one) { return one.size(); });
    CHECK(sizes.text(0) == "1/2/3");
}

namespace {

/// Options with a terminal and a folder of their own, which write nothing.
struct Quiet
{
    program::CommonOptions options;
    std::FILE* const nowhere = std::tmpfile();
    program::Terminal terminal{nowhere, nowhere};
    program::OutputFolder files{"out"};
    program::Frame frame{options, terminal, files};

    Quiet() = default;
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet() { std::fclose(nowhere); }
};

} // namespace

TEST_CASE("three seeds are the reader's and the next two, one if quick", "[program]")
{
    Quiet quiet;
    quiet.options.seed = 7;
    CHECK(program::seeds_of(quiet.frame) == std::vector<std::uint64_t>{7, 8, 9});
    quiet.options.quick = true;
    CHECK(program::seeds_of(quiet.frame) == std::vector<std::uint64_t>{7});
}

TEST_CASE("runs side by side are each done once, whatever the threads", "[program]")
{
    for (const std::size_t threads : {1U, 2U, 3U}) {
        Quiet quiet;
        quiet.options.threads = threads;
        std::vector<std::atomic<int>> done(7);
        program::side_by_side(quiet.frame, "runs", done.size(),
                              [&](std::size_t index) { ++done[index]; });
        for (const std::atomic<int>& times : done) {
            CHECK(times == 1);
        }
    }
}

TEST_CASE("each row runs with each seed, and stands where it belongs", "[program]")
{
    struct Number // one that is made with its value
    {
        explicit Number(std::uint64_t x) : value(x) {}
        std::uint64_t value;
    };
    for (const std::size_t threads : {1U, 2U}) {
        Quiet quiet;
        quiet.options.threads = threads;
        const auto results = program::run_rows_with_seeds(
            quiet.frame, "runs", 3, {7, 8},
            [](std::size_t row, std::uint64_t seed) { return Number(10 * row + seed); });
        REQUIRE(results.size() == 3);
        for (std::size_t row = 0; row < 3; ++row) {
            REQUIRE(results[row].size() == 2);
            CHECK(results[row][0].value == 10 * row + 7);
            CHECK(results[row][1].value == 10 * row + 8);
        }
    }
    Quiet quiet;
    std::vector<std::size_t> order;
    program::run_rows_with_seeds(quiet.frame, "runs", 2, {0, 1},
                                 [&](std::size_t row, std::uint64_t) {
                                     order.push_back(row);
                                     return row;
                                 });
    CHECK(order == std::vector<std::size_t>{1, 1, 0, 0});
}

TEST_CASE("a mean and its standard error with a pencil", "[common][program][oracle]")
{
    const program::MeanWithError of = program::mean_with_error({1, 2, 6});
    CHECK(of.mean == 3);
    CHECK_THAT(of.standard_error, WithinAbs(std::sqrt((4 + 1 + 9) / 2.0 / 3), 1e-12));
    const program::MeanWithError four = program::mean_with_error({1, 2, 3, 6});
    CHECK_THAT(four.standard_error, WithinAbs(std::sqrt(14.0 / 12), 1e-14));
    CHECK_THROWS_AS(program::mean_with_error({1}), ContractError);
}
