/// \file
/// \brief What the page says of trained networks, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <cstddef>

using namespace attn;
using attn::testing::committed_table;

namespace {

/// The rows of trained_sorting.csv.
enum class SortingRow : std::size_t
{
    set,
    dot,
    lstm,
    unmasked,
    unmasked_longer
};

} // namespace

// [claim_sorting]
TEST_CASE("with a mask and a set encoder lists of 16 are sorted, without a mask not even 8",
          "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_sorting.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        switch (static_cast<SortingRow>(table.column("row")[i])) {
        case SortingRow::set:
        case SortingRow::dot:
            CHECK(table.column("right_8")[i] >= 0.99);
            CHECK(table.column("right_16")[i] >= 0.97);
            break;
        case SortingRow::lstm:
            CHECK(table.column("right_8")[i] < 0.97);
            CHECK(table.column("right_24")[i] < 0.6);
            break;
        case SortingRow::unmasked:
            CHECK(table.column("right_8")[i] < 0.05);
            break;
        case SortingRow::unmasked_longer:
            CHECK(table.column("right_8")[i] < 0.5);
            CHECK(table.column("right_16")[i] == 0);
            break;
        }
    }
}
// [claim_sorting]

// [claim_hulls]
TEST_CASE("hulls of eight points are mostly exact and cover nearly all", "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_hulls.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        if (table.column("points")[i] == 8) {
            CHECK(table.column("exact")[i] >= 0.70);
            CHECK(table.column("area")[i] >= 0.99);
            CHECK(table.column("failures")[i] <= 0.01);
        } else if (table.column("points")[i] == 20) {
            CHECK(table.column("exact")[i] < 0.5);
        }
    }
}
// [claim_hulls]

// [claim_tours]
TEST_CASE("tours are shorter than the nearest neighbour's, and longer than the shortest",
          "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_tours.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        CHECK(table.column("pointed")[i] < table.column("neighbour")[i]);
        CHECK(table.column("shortest")[i] < 0.9);
        if (table.column("points")[i] == 12) {
            CHECK(table.column("shortest")[i] < 0.3);
        }
    }
}
// [claim_tours]
