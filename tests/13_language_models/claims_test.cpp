/// \file
/// \brief What the pages say of trained models, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

using namespace attn;
using attn::testing::committed_table;

namespace {

/// The rows of trained_interventions.csv.
enum class Change : std::size_t
{
    none,
    no_head_1,
    no_head_2,
    previous_alone,
    all_but_previous,
    queries,
    keys,
    values
};

/// The rows of trained_sampling.csv.
enum class Drawn : std::size_t
{
    greedy,
    half,
    one,
    hot,
    top_k,
    top_p,
    hot_top_p
};

/// The rows of trained_masked.csv of one seed.
enum class Hidden : std::size_t
{
    determiner,
    noun
};

/// The lowest and the highest of a column.
double lowest(const program::NumericTable& table, const char* column)
{
    return std::ranges::min(table.column(column));
}

double highest(const program::NumericTable& table, const char* column)
{
    return std::ranges::max(table.column(column));
}

template <typename Row>
double cell(const program::NumericTable& table, const char* column, Row row)
{
    return table.column(column).at(static_cast<std::size_t>(row));
}

} // namespace

// [claim_two_layers]
TEST_CASE("models of two layers repeat with every seed, those of one with none", "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_induction.csv");
    CHECK(table.column("right_2_low").back() >= 0.98);
    CHECK(table.column("score_2_low").back() >= 0.90);
    CHECK(table.column("right_1_high").back() <= 0.30);
}
// [claim_two_layers]

// [claim_sudden]
TEST_CASE("the ability comes within a hundred steps, after more than a hundred without",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_induction.csv");
    const std::vector<double>& steps = table.column("steps");
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] <= 120) {
            CHECK(table.column("right_2_high")[i] < 0.2);
        }
        if (steps[i] >= 220) {
            CHECK(table.column("right_2_low")[i] > 0.9);
        }
    }
}
// [claim_sudden]

// [claim_interventions]
TEST_CASE("layer 1 enters through the keys of layer 2, with every seed", "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_interventions.csv");
    for (const Change lost :
         {Change::no_head_1, Change::no_head_2, Change::all_but_previous, Change::keys}) {
        CHECK(cell(table, "right_high", lost) < 0.1);
    }
    for (const Change left :
         {Change::none, Change::previous_alone, Change::queries, Change::values}) {
        CHECK(cell(table, "right_low", left) > 0.99);
    }
}
// [claim_interventions]

// [claim_sampling]
TEST_CASE("greedy writes one sentence, and cutting the tail lets fewer new pairs through",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_sampling.csv");
    CHECK(cell(table, "different", Drawn::greedy) == 0.005); // one of 200
    CHECK(cell(table, "new_pairs", Drawn::hot) > 0.08);
    for (const Drawn cut : {Drawn::top_k, Drawn::top_p}) {
        CHECK(cell(table, "new_pairs", cut) < 0.5 * cell(table, "new_pairs", Drawn::one));
        CHECK(cell(table, "different", cut) > 0.9);
    }
    CHECK(cell(table, "new_pairs", Drawn::hot_top_p) <
          0.5 * cell(table, "new_pairs", Drawn::hot));
}
// [claim_sampling]

// [claim_masked]
TEST_CASE("hidden determiners agree and hidden nouns come as nouns, with every seed",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_masked.csv");
    for (std::size_t i = 0; i < table.column("kind").size(); ++i) {
        const auto kind = static_cast<Hidden>(table.column("kind")[i]);
        if (kind == Hidden::determiner) {
            CHECK(table.column("agrees")[i] >= 0.87);
            CHECK(table.column("agrees")[i] > 2 * table.column("most_frequent")[i]);
        } else if (kind == Hidden::noun) {
            CHECK(table.column("right_kind")[i] >= 0.90);
        }
    }
}
// [claim_masked]

// [claim_between]
TEST_CASE("a noun of the other number misleads the masked model, not the causal one",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_filling.csv");
    CHECK(lowest(table, "masked_nothing") > 0.95);
    CHECK(lowest(table, "masked_same") > 0.95);
    CHECK(highest(table, "masked_other") < 0.6);
    CHECK(lowest(table, "causal_other") > 0.95);
}
// [claim_between]

// [claim_writers]
TEST_CASE("gaps filled at once clash, and a masked model's sentences have more new pairs",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_filling.csv");
    CHECK(lowest(table, "clash_at_once") > 0.1);
    for (const char* better : {"clash_one_by_one", "clash_again", "clash_causal"}) {
        CHECK(highest(table, better) < 0.05);
    }
    CHECK(lowest(table, "new_one_by_one") > 4 * highest(table, "new_causal"));
    CHECK(lowest(table, "new_at_once") > 2 * highest(table, "new_one_by_one"));
    CHECK(lowest(table, "named_masked") > highest(table, "named_left"));
}
// [claim_writers]

// [claim_sequence]
TEST_CASE("the head of layer 2 attends to what followed, and before that to the first token",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_weights.csv");
    constexpr std::size_t n = 24;
    constexpr std::size_t period = 8;
    for (std::size_t query = period - 2; query < period + 5; ++query) {
        const auto row =
            table.column("weight_2").begin() + static_cast<std::ptrdiff_t>(query * n);
        const auto largest = static_cast<std::size_t>(
            std::max_element(row, row + static_cast<std::ptrdiff_t>(n)) - row);
        CHECK(largest == (query < period ? 0 : query + 1 - period));
    }
}
// [claim_sequence]

// [claim_explorer]
TEST_CASE("page 13a: the last letter attends to what followed, layer 1 to the letter before",
          "[13][claim]")
{
    const program::NumericTable table = committed_table("trained_weights.csv");
    constexpr std::size_t n = 24;
    constexpr std::size_t period = 8;
    const auto largest = [&](const char* layer, std::size_t query) { // keys, counted from 0
        const auto row = table.column(layer).begin() + static_cast<std::ptrdiff_t>(query * n);
        std::vector<std::size_t> keys(n);
        std::iota(keys.begin(), keys.end(), std::size_t{0});
        std::ranges::sort(keys, [&](std::size_t a, std::size_t b) {
            return row[static_cast<std::ptrdiff_t>(a)] > row[static_cast<std::ptrdiff_t>(b)];
        });
        return keys;
    };
    const std::vector<std::size_t> of_last = largest("weight_2", n - 1);
    CHECK(of_last[0] == n - 2 * period);
    CHECK(of_last[1] == n - period);
    for (std::size_t query = 1; query < n; ++query) {
        CHECK(largest("weight_1", query)[0] == query - 1);
    }
}
// [claim_explorer]
