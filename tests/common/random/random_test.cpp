#include "common/random/random.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using attn::random::Generator;
using Catch::Matchers::WithinAbs;

TEST_CASE("SplitMix64 gives its published numbers", "[random][golden]")
{
    // Vigna's generator from the seed 1477776061723855037, as every implementation tests it.
    std::uint64_t state = 1477776061723855037ULL;
    for (const std::uint64_t expected :
         {1985237415132408290ULL, 2979275885539914483ULL, 13511426838097143398ULL,
          8488337342461049707ULL, 15141737807933549159ULL}) {
        CHECK(attn::random::split_mix_64(state) == expected);
    }
}

TEST_CASE("xoshiro256 starstar gives its published numbers", "[random][golden]")
{
    // From the state 1, 2, 3, 4, as every implementation tests it.
    Generator generator(1);
    generator.set_state({1, 2, 3, 4, 0, 0});
    for (const std::uint64_t expected :
         {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL,
          607988272756665600ULL, 16172922978634559625ULL, 8476171486693032832ULL,
          10595114339597558777ULL, 2904607092377533576ULL}) {
        CHECK(generator.bits() == expected);
    }
}

TEST_CASE("same seed and stream, same numbers, and another of either gives others",
          "[random][property]")
{
    Generator a(7, 3);
    Generator again(7, 3);
    Generator other_stream(7, 4);
    Generator other_seed(8, 3);
    Generator swapped(3, 7);
    const std::uint64_t first = a.bits();
    CHECK(again.bits() == first);
    CHECK(other_stream.bits() != first);
    CHECK(other_seed.bits() != first);
    CHECK(swapped.bits() != first);
}

TEST_CASE("uniform numbers fill their interval evenly", "[random][property]")
{
    Generator generator(1);
    const std::size_t n = 100000;
    double sum = 0;
    double sum_of_squares = 0;
    double lowest = 1;
    double highest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double u = generator.uniform();
        sum += u;
        sum_of_squares += u * u;
        lowest = std::min(lowest, u);
        highest = std::max(highest, u);
    }
    // Mean 1/2 and second moment 1/3, each within five standard errors.
    CHECK_THAT(sum / n, WithinAbs(0.5, 5 * std::sqrt(1.0 / 12 / n)));
    CHECK_THAT(sum_of_squares / n, WithinAbs(1.0 / 3, 5 * std::sqrt(4.0 / 45 / n)));
    CHECK(lowest >= 0.0);
    CHECK(lowest < 1e-3);
    CHECK(highest < 1.0);
    CHECK(highest > 1 - 1e-3);
    CHECK(generator.uniform(2, 2) == 2);
}

TEST_CASE("normal numbers have the normal moments and tails", "[random][property]")
{
    Generator generator(2);
    const std::size_t n = 100001; // odd: the spare number of the last pair stays unused
    double moments[5] = {};
    double n_beyond_two = 0;
    const attn::Vector draws = generator.normals(n);
    for (const double z : draws) {
        for (int power = 1; power <= 4; ++power) {
            moments[power] += std::pow(z, power) / static_cast<double>(n);
        }
        n_beyond_two += std::abs(z) > 2 ? 1 : 0;
    }
    // Five standard errors: Var z^k = E z^2k - (E z^k)^2 = 1, 2, 15, 96.
    const double root_n = std::sqrt(static_cast<double>(n));
    CHECK_THAT(moments[1], WithinAbs(0, 5 * 1 / root_n));
    CHECK_THAT(moments[2], WithinAbs(1, 5 * std::sqrt(2.0) / root_n));
    CHECK_THAT(moments[3], WithinAbs(0, 5 * std::sqrt(15.0) / root_n));
    CHECK_THAT(moments[4], WithinAbs(3, 5 * std::sqrt(96.0) / root_n));
    CHECK_THAT(n_beyond_two / static_cast<double>(n), WithinAbs(0.0455, 0.0033));
}

TEST_CASE("mean and standard deviation shift and stretch the same draws", "[random][property]")
{
    Generator plain(5);
    Generator stretched(5);
    for (int i = 0; i < 7; ++i) {
        CHECK_THAT(stretched.normal(10, 3), WithinAbs(10 + 3 * plain.normal(), 1e-12));
    }
}

TEST_CASE("integers below a bound are all reached, evenly", "[random][property]")
{
    Generator generator(3);
    std::map<std::uint64_t, double> counts;
    const double n = 60000;
    for (int i = 0; i < static_cast<int>(n); ++i) {
        ++counts[generator.below(6)];
    }
    REQUIRE(counts.size() == 6);
    for (const auto& [face, count] : counts) {
        CAPTURE(face);
        CHECK_THAT(count, WithinAbs(n / 6, 5 * std::sqrt(n * 5 / 36)));
    }
    CHECK(generator.below(1) == 0);
    CHECK(generator.below(UINT64_MAX) < UINT64_MAX);
    // Of 2^64 words a third of these numbers would get two each, the others one.
    double n_thirds = 0;
    for (int i = 0; i < 3000; ++i) {
        n_thirds += generator.below(3ULL << 62U) % 3 == 0 ? 1 : 0;
    }
    CHECK_THAT(n_thirds, WithinAbs(1000, 5 * std::sqrt(3000 * 2 / 9.0)));
}

TEST_CASE("a permutation holds every number once, and every order comes", "[random][property]")
{
    Generator generator(4);
    std::map<std::vector<std::size_t>, double> counts;
    const double n = 24000;
    for (int i = 0; i < static_cast<int>(n); ++i) {
        ++counts[generator.permutation(4)];
    }
    REQUIRE(counts.size() == 24);
    for (auto& [order, count] : counts) {
        CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == 4);
        CHECK_THAT(count, WithinAbs(1000, 5 * std::sqrt(1000.0)));
    }
}

TEST_CASE("a choice holds no number twice", "[random][property]")
{
    Generator generator(6);
    const std::vector<std::size_t> chosen = generator.choice(100, 40);
    CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == 40);
    CHECK(*std::max_element(chosen.begin(), chosen.end()) < 100);
    CHECK(generator.choice(5, 0).empty());
}

TEST_CASE("a generator set to another's state goes on as that one, the waiting number too",
          "[random]")
{
    for (const int n_drawn : {0, 1, 2, 3}) {
        CAPTURE(n_drawn);
        Generator one(9, 2);
        for (int i = 0; i < n_drawn; ++i) {
            one.normal();
        }
        Generator other(1);
        other.normal(); // leaves a number waiting, which must go
        other.set_state(one.state());
        CHECK(other.state() == one.state());
        for (int i = 0; i < 5; ++i) {
            CHECK(other.normal() == one.normal());
            CHECK(other.bits() == one.bits());
        }
    }
}

TEST_CASE("a state that no generator can be in is refused and changes nothing", "[random]")
{
    Generator generator(4);
    const Generator::State before = generator.state();
    const std::uint64_t infinity = 0x7ff0000000000000ULL;
    for (const Generator::State& impossible :
         {Generator::State{0, 0, 0, 0, 0, 0}, Generator::State{1, 2, 3, 4, 0, 2},
          Generator::State{1, 2, 3, 4, infinity, 1}}) {
        CHECK_THROWS_AS(generator.set_state(impossible), attn::ContractError);
        CHECK(generator.state() == before);
    }
}

TEST_CASE("impossible draws are refused", "[random]")
{
    Generator generator(1);
    CHECK_THROWS_AS(generator.below(0), attn::ContractError);
    CHECK_THROWS_AS(generator.choice(3, 4), attn::ContractError);
    CHECK_THROWS_AS(generator.uniform(1, 0), attn::ContractError);
    CHECK_THROWS_AS(generator.normal(0, -1), attn::ContractError);
}
