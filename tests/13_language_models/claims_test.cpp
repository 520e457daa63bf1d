/// \file
/// \brief What the pages say of trained models, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

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
