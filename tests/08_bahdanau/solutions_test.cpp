/// \file
/// \brief The solutions of chapter 8's exercises.
#include "chapters/08_bahdanau/exercises/solutions.hpp"

#include "chapters/08_bahdanau/experiments/experiments.hpp"
#include "common/tensor/check.hpp"
#include "common/text/alignment_error.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using namespace attn::bahdanau;
using Catch::Matchers::WithinAbs;

TEST_CASE("exercise 8.1, keys at every step", "[08][solution]")
{
    CHECK_THAT(solutions::cost_of_forgetting(64, 15), WithinAbs(15.0 * 65 / 79, 1e-12));
    CHECK(solutions::cost_of_forgetting(7, 1) == 1); // one step: nothing to save
    CHECK(solutions::cost_of_forgetting(1000000, 15) > 14.9);

    // By the counts of the program: the scores alone, without the context's products.
    constexpr std::size_t n = 14;
    constexpr std::size_t m = 15;
    const AlignmentCost general = alignment_costs(64, 32, 30, n)[3];
    REQUIRE(general.name == "general");
    const auto once = static_cast<double>(general.once);
    const auto step = static_cast<double>(general.each_step - n * 64);
    CHECK_THAT(solutions::cost_of_forgetting(64, m),
               WithinAbs(m * (once + step) / (once + m * step), 1e-12));
    CHECK_THROWS_AS(solutions::cost_of_forgetting(0, 3), ContractError);
    CHECK_THROWS_AS(solutions::cost_of_forgetting(3, 0), ContractError);
}

TEST_CASE("exercise 8.2, one-hot keys", "[08][solution]")
{
    const Vector weights = solutions::weights_by_one_hot_keys({0, std::log(3.0), 7}, 2);
    REQUIRE(weights.size() == 2);
    CHECK_THAT(weights(0), WithinAbs(0.25, 1e-12));
    CHECK_THAT(weights(1), WithinAbs(0.75, 1e-12));
    CHECK_THROWS_AS(solutions::weights_by_one_hot_keys({0, 1}, 3), ContractError);
    CHECK_THROWS_AS(solutions::weights_by_one_hot_keys({0, 1}, 0), ContractError);
}

TEST_CASE("exercise 8.3, an alignment error by hand", "[08][solution]")
{
    const Matrix weights = {{0.6, 0.3, 0.1}, {0.2, 0.2, 0.6}, {0.1, 0.8, 0.1}, {0, 0.9, 0.1}};
    CHECK_THAT(solutions::error_of_largest(weights, {0, 1, 1, 1}), WithinAbs(0.25, 1e-12));
    text::SentencePair pair{{"a", "b", "c"}, {"w", "x", "y", "z"}, {}, {}};
    pair.sure = {{0, 0}, {1, 1}, {1, 2}, {1, 3}};
    const auto counts = text::alignment_counts(
        text::links_of({{0.6, 0.3, 0.1}, {0.2, 0.2, 0.6}, {0.1, 0.8, 0.1}, {0, 0.9, 0.1}}),
        pair);
    CHECK_THAT(counts.error(), WithinAbs(0.25, 1e-12)); // the corpus' own measure agrees
    CHECK_THROWS_AS(solutions::error_of_largest(weights, {0, 1}), ContractError);
    CHECK_THROWS_AS(solutions::error_of_largest(weights, {0, 1, 1, 3}), ContractError);
}

TEST_CASE("what is computed once and at every step", "[08][oracle]")
{
    const std::vector<AlignmentCost> costs = alignment_costs(64, 32, 30, 14);
    REQUIRE(costs.size() == 5);
    CHECK(costs[0].name == "additive");
    CHECK(costs[0].once == 14 * 64 * 64);
    CHECK(costs[0].each_step == 64 * 64 + 2 * 14 * 64);
    CHECK(costs[0].n_parameters == 64 * 64 * 2 + 64 + 64);
    CHECK(costs[1].n_parameters == 64 * 64 * 2 + 64);
    CHECK(costs[2].once == 0);
    CHECK(costs[2].n_parameters == 0);
    CHECK(costs[3].n_parameters == 64 * 64);
    CHECK(costs[4].n_parameters == 30 * (64 + 32) + 30);
    CHECK_THROWS_AS(alignment_costs(0, 32, 30, 14), ContractError);
}
