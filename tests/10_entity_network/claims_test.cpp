/// \file
/// \brief What the page says of trained networks, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace attn;
using attn::testing::committed_table;
using attn::testing::numbers_where;
using Catch::Matchers::WithinAbs;

namespace {

/// The rows of trained_task_1.csv and trained_task_2.csv.
enum class Row : std::size_t
{
    entity,
    gru,
    memory,
    placed_memory,
    two_searches,
    last_place
};

std::vector<double> right(const std::string& file, Row row, double sentences)
{
    return numbers_where(committed_table(file), "right",
                         {{"row", static_cast<double>(row)}, {"sentences", sentences}});
}

/// The rows of trained_ablations.csv.
enum class Change : std::size_t
{
    none,
    unnormalised,
    prelu,
    unnormalised_prelu,
    wide_prelu,
    eight_free,
    four_free,
    two_free,
    small
};

/// Right answers of task 1.
std::vector<double> moves(Change change, double sentences)
{
    return numbers_where(committed_table("trained_ablations.csv"), "right",
                         {{"row", static_cast<double>(change)}, {"sentences", sentences}});
}

/// Right answers of task 2.
std::vector<double> carried(Change change)
{
    return numbers_where(committed_table("trained_ablation_task_2.csv"), "right",
                         {{"row", static_cast<double>(change)}});
}

/// The lengths of the slots after 32 sentences.
std::vector<double> lengths(Change change)
{
    return numbers_where(committed_table("trained_ablation_slots.csv"), "length",
                         {{"row", static_cast<double>(change)}});
}

/// For how many persons the mean gate of a slot is above .3.
std::size_t n_owners(Change change, double seed, double slot)
{
    const std::vector<double> gates =
        numbers_where(committed_table("trained_free_keys.csv"), "gate",
                      {{"row", static_cast<double>(change)}, {"seed", seed}, {"slot", slot}});
    return static_cast<std::size_t>(
        std::count_if(gates.begin(), gates.end(), [](double g) { return g > 0.3; }));
}

} // namespace

// [claim_tasks]
TEST_CASE("the entity network answers both tasks, one search only the first, two searches both",
          "[10][claim]")
{
    CHECK(right("trained_task_1.csv", Row::entity, 8).front() >= 0.99);
    CHECK(right("trained_task_1.csv", Row::entity, 32).front() >= 0.99);
    CHECK(right("trained_task_1.csv", Row::gru, 8).front() >= 0.97);
    CHECK(right("trained_task_1.csv", Row::memory, 8).back() < 0.7);
    CHECK(right("trained_task_1.csv", Row::placed_memory, 8).front() >= 0.99);
    CHECK(right("trained_task_2.csv", Row::entity, 8).front() >= 0.97);
    CHECK(right("trained_task_2.csv", Row::entity, 16).front() >= 0.9);
    CHECK(right("trained_task_2.csv", Row::gru, 8).front() > 0.75);
    CHECK(right("trained_task_2.csv", Row::gru, 8).back() < 0.8);
    CHECK(right("trained_task_2.csv", Row::memory, 8).back() < 0.5);
    CHECK(right("trained_task_2.csv", Row::placed_memory, 8).back() < 0.5);
    CHECK(right("trained_task_2.csv", Row::two_searches, 8).front() >= 0.99);
    CHECK(right("trained_task_1.csv", Row::two_searches, 8).front() >= 0.99);
    CHECK(right("trained_task_2.csv", Row::last_place, 8).back() < 0.5);
}
// [claim_tasks]

// [claim_gates]
TEST_CASE("a gate opens by the key, the content adds to it, and the holder's slot is read",
          "[10][claim]")
{
    const program::NumericTable table = committed_table("trained_gate_means.csv");
    REQUIRE(table.n_rows() == 3);
    CHECK_THAT(numbers_where(table, "key_on", {})[1], WithinAbs(7.6, 0.05)); // the medians
    CHECK_THAT(numbers_where(table, "content_on", {})[1], WithinAbs(1.8, 0.05));
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        CHECK(table.column("on")[i] - table.column("off")[i] >= 0.8);
        CHECK(table.column("key_on")[i] > 3 * table.column("content_on")[i]);
        CHECK(table.column("key_off")[i] < 2 * table.column("content_off")[i]);
        CHECK(table.column("content_on")[i] > 1);
        CHECK(table.column("key_off")[i] < -3);
        CHECK(table.column("content_off")[i] < -1);
        CHECK(table.column("holder")[i] >= 0.95);
        CHECK(table.column("weight")[i] >= 0.8);
    }
}
// [claim_gates]

// [claim_story]
TEST_CASE(
    "sentences of the page's story open their person's gate, two names two, no name none",
    "[10][claim]")
{
    const program::NumericTable story = committed_table("trained_gates.csv");
    const std::vector<double> who = {1, 1, 2, 1};
    for (std::size_t i = 0; i < story.n_rows(); ++i) {
        const bool own = story.column("slot")[i] ==
                         who.at(static_cast<std::size_t>(story.column("sentence")[i]) - 1);
        CHECK((own ? story.column("gate")[i] > 0.8 : story.column("gate")[i] < 0.05));
    }
    CHECK(numbers_where(story, "read", {{"slot", 1}}).front() > 0.8);
    const program::NumericTable strange = committed_table("trained_strange_sentences.csv");
    const auto of = [&](const char* column, double sentence) {
        return numbers_where(strange, column, {{"sentence", sentence}}); // rising
    };
    CHECK(of("gate", 2)[2] > 0.9);
    CHECK(of("gate", 2)[1] < 0.05);
    CHECK(of("gate", 3)[3] < 0.05);
    CHECK(of("share", 2)[3] > 0.9);
    CHECK(of("share", 3)[3] > 0.5);
    const program::NumericTable answers = committed_table("trained_answers_on_the_way.csv");
    for (const std::size_t after : {std::size_t{2}, std::size_t{3}}) { // the apple is in the kitchen
        CHECK(answers.column("kitchen")[after - 1] > 0.95);
    }
    CHECK(answers.column("office")[3] > 0.95);
    CHECK(answers.column("kitchen")[3] < 0.01);
}
// [claim_story]

// [claim_slots]
TEST_CASE("four free keys share out four persons, eight share them, two have two each",
          "[10][claim]")
{
    CHECK(moves(Change::eight_free, 32).front() >= 0.99);
    CHECK(carried(Change::eight_free).front() >= 0.99);
    CHECK(moves(Change::four_free, 32).front() >= 0.99);
    CHECK(carried(Change::four_free).front() >= 0.99);
    CHECK(moves(Change::two_free, 8).back() < 0.85);
    CHECK(moves(Change::two_free, 8)[1] > 0.82); // the median
    CHECK(carried(Change::two_free).front() > 0.86);
    CHECK(carried(Change::two_free).back() < 0.9);
    for (const double seed : {1.0, 2.0, 3.0}) {
        for (const double slot : {1.0, 2.0, 3.0, 4.0}) {
            CHECK(n_owners(Change::four_free, seed, slot) == 1);
        }
        CHECK(n_owners(Change::two_free, seed, 1) == 2);
        CHECK(n_owners(Change::two_free, seed, 2) == 2);
    }
    CHECK(n_owners(Change::eight_free, 1, 1) == 1);
    CHECK(n_owners(Change::eight_free, 1, 3) == 1);
    CHECK(n_owners(Change::eight_free, 1, 2) == 3);
    CHECK(n_owners(Change::eight_free, 1, 6) == 2);
}
// [claim_slots]

// [claim_changes]
TEST_CASE("without normalisation long stories fail, and what else a change costs",
          "[10][claim]")
{
    CHECK(moves(Change::unnormalised, 8).back() < 0.2);
    CHECK(lengths(Change::unnormalised).front() > 50);
    CHECK(moves(Change::prelu, 32).front() >= 0.99);
    CHECK(moves(Change::unnormalised_prelu, 8).front() >= 0.99);
    CHECK(moves(Change::unnormalised_prelu, 16).front() >= 0.98);
    CHECK(moves(Change::unnormalised_prelu, 32).back() < 0.8);
    CHECK(lengths(Change::unnormalised_prelu).front() > 80);
    CHECK(lengths(Change::unnormalised_prelu).back() < 130);
    CHECK(carried(Change::unnormalised_prelu).back() < 0.5);
    CHECK(carried(Change::prelu)[1] < 6.0 / 7); // the median
    CHECK(carried(Change::prelu).back() >= 0.999);
    CHECK(carried(Change::wide_prelu).front() >= 0.99);
    CHECK(moves(Change::small, 8).front() > 0.6);
    CHECK(moves(Change::small, 8).back() < 0.7);
    CHECK(carried(Change::small).front() > 0.45);
    CHECK(carried(Change::small).back() < 0.55);
}
// [claim_changes]

// [claim_more]
TEST_CASE("dropped objects are found in short stories, and few stories do not suffice",
          "[10][claim]")
{
    const program::NumericTable dropped = committed_table("trained_task_3.csv");
    CHECK(numbers_where(dropped, "right", {{"sentences", 8}}).front() >= 0.97);
    CHECK(numbers_where(dropped, "right", {{"sentences", 16}}).back() < 0.9);
    const program::NumericTable few = committed_table("trained_few_stories.csv");
    CHECK(numbers_where(few, "right", {{"stories", 300}}).back() < 0.5);
    CHECK(numbers_where(few, "right", {{"stories", 1000}}).front() < 0.9);
    CHECK(numbers_where(few, "right", {{"stories", 10000}}).front() >= 0.99);
}
// [claim_more]
