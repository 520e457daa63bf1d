/// \file
/// \brief What the page says of trained networks, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <cstddef>
#include <string>
#include <vector>

using namespace attn;
using attn::testing::committed_table;
using attn::testing::numbers_where;

namespace {

/// The rows of trained_task_1.csv and trained_task_2.csv.
enum class Row : std::size_t
{
    entity,
    gru,
    memory,
    placed_memory,
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
    two_free,
    small
};

std::vector<double> changed(Change change, const std::string& column, double sentences)
{
    return numbers_where(committed_table("trained_ablations.csv"), column,
                         {{"row", static_cast<double>(change)}, {"sentences", sentences}});
}

} // namespace

// [claim_tasks]
TEST_CASE("the entity network answers both tasks, the GRU and the memory of sentences only the "
          "first",
          "[10][claim]")
{
    CHECK(right("trained_task_1.csv", Row::entity, 8).front() >= 0.99);
    CHECK(right("trained_task_1.csv", Row::entity, 32).front() >= 0.99);
    CHECK(right("trained_task_1.csv", Row::gru, 8).front() >= 0.97);
    CHECK(right("trained_task_1.csv", Row::memory, 8).back() < 0.7);
    CHECK(right("trained_task_1.csv", Row::placed_memory, 8).front() >= 0.99);
    CHECK(right("trained_task_2.csv", Row::entity, 8).front() >= 0.97);
    CHECK(right("trained_task_2.csv", Row::entity, 16).front() >= 0.9);
    CHECK(right("trained_task_2.csv", Row::gru, 8).front() > 0.7);
    CHECK(right("trained_task_2.csv", Row::gru, 8).back() < 0.8);
    CHECK(right("trained_task_2.csv", Row::memory, 8).back() < 0.5);
    CHECK(right("trained_task_2.csv", Row::placed_memory, 8).back() < 0.5);
    CHECK(right("trained_task_2.csv", Row::last_place, 8).back() < 0.5);
}
// [claim_tasks]

// [claim_gates]
TEST_CASE("a gate opens by the key, the content adds to it, and the holder's slot is read",
          "[10][claim]")
{
    const program::NumericTable table = committed_table("trained_gate_means.csv");
    REQUIRE(table.n_rows() == 3);
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        CHECK(table.column("on")[i] - table.column("off")[i] >= 0.8);
        CHECK(table.column("key_on")[i] > 2 * table.column("content_on")[i]);
        CHECK(table.column("content_on")[i] > 1);
        CHECK(table.column("key_off")[i] < -3);
        CHECK(table.column("content_off")[i] < -1);
        CHECK(table.column("holder")[i] >= 0.95);
        CHECK(table.column("weight")[i] >= 0.8);
    }
}
// [claim_gates]

// [claim_changes]
TEST_CASE("without normalisation long stories fail, and what else a change costs",
          "[10][claim]")
{
    CHECK(changed(Change::unnormalised, "right", 8).back() < 0.2);
    CHECK(changed(Change::unnormalised, "length", 32).front() > 50);
    CHECK(changed(Change::prelu, "right", 32).front() >= 0.99);
    CHECK(changed(Change::unnormalised_prelu, "right", 8).front() >= 0.99);
    CHECK(changed(Change::unnormalised_prelu, "right", 32).back() < 0.8);
    CHECK(changed(Change::unnormalised_prelu, "length", 32).front() > 80);
    CHECK(changed(Change::unnormalised_prelu, "length", 32).back() < 130);
    CHECK(changed(Change::unnormalised_prelu, "task_2", 8).back() < 0.5);
    CHECK(changed(Change::prelu, "task_2", 8)[1] < 6.0 / 7); // the median
    CHECK(changed(Change::prelu, "task_2", 8).back() >= 0.99);
    CHECK(changed(Change::wide_prelu, "task_2", 8).front() >= 0.99);
    CHECK(changed(Change::eight_free, "right", 32).front() >= 0.99);
    CHECK(changed(Change::eight_free, "task_2", 8).front() >= 0.99);
    CHECK(changed(Change::two_free, "right", 8).back() < 0.9);
    CHECK(changed(Change::small, "right", 8).back() < 0.7);
    CHECK(changed(Change::small, "task_2", 8).back() < 0.6);
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
