/// \file
/// \brief What the page says of trained networks, in the numbers that the program has written.
#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <cstddef>
#include <string>

using namespace attn;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// The rows of trained_sorting.csv.
enum class SortingRow : std::size_t
{
    set,
    dot,
    lstm,
    unmasked,
    unmasked_longer,
    hardly_trained
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
            CHECK(table.column("right_24")[i] >= 0.99); // one list in a hundred is missed
            CHECK(table.column("right_8")[i] >= 0.99);
            CHECK(table.column("right_16")[i] >= 0.97);
            break;
        case SortingRow::lstm:
            CHECK(table.column("right_8")[i] < 0.97);
            CHECK(table.column("right_8")[i] > 0.9);
            CHECK(table.column("right_24")[i] < 0.6);
            break;
        case SortingRow::unmasked:
            CHECK(table.column("right_8")[i] < 0.05);
            break;
        case SortingRow::unmasked_longer:
            CHECK(table.column("right_8")[i] < 0.5);
            CHECK(table.column("right_16")[i] == 0);
            break;
        case SortingRow::hardly_trained:
            CHECK(table.column("right_8")[i] == 1);
            CHECK(table.column("right_24")[i] == 1);
            break;
        }
    }
}
// [claim_sorting]

// [claim_one_score]
TEST_CASE("the scores of the first step alone sort as well as all steps, unless they are equal",
          "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_sorting.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        const auto row = static_cast<SortingRow>(table.column("row")[i]);
        const double by_first = table.column("by_first_24")[i];
        if (row == SortingRow::dot || row == SortingRow::hardly_trained) {
            for (const char* n : {"8", "16", "24"}) {
                CHECK(table.column(std::string("by_first_") + n)[i] == 1);
            }
        } else if (row == SortingRow::set) {
            CHECK((by_first > 0.75 && by_first < 0.9));
            CHECK(table.column("right_24")[i] >= 0.99);
        } else if (row == SortingRow::lstm) {
            CHECK(by_first < 0.5);
            CHECK(by_first > table.column("right_24")[i] - 0.07);
        }
    }
}
// [claim_one_score]

// [claim_hulls]
TEST_CASE("hulls of eight points are mostly exact and cover nearly all", "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_hulls.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        if (table.column("points")[i] == 8) {
            CHECK(table.column("exact")[i] >= 0.70);
            CHECK(table.column("area")[i] >= 0.99);
            CHECK(table.column("failures")[i] <= 0.01);
            CHECK((table.column("missed")[i] > 0.4 && table.column("missed")[i] < 0.7));
            CHECK((table.column("inner")[i] > 0.4 && table.column("inner")[i] < 0.7));
        } else if (table.column("points")[i] == 20) {
            CHECK(table.column("exact")[i] < 0.5);
        }
    }
}
// [claim_hulls]

// [claim_targets]
TEST_CASE(
    "with targets from any corner the first step is divided among the corners, with either "
    "direction the second as well",
    "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_hull_targets.csv");
    const auto column = [&](const std::string& name, double row) {
        return attn::testing::numbers_where(table, name, {{"row", row}});
    };
    CHECK(column("first_largest", 0).front() > 0.9);
    CHECK(column("first_corners", 0).front() > 0.99);
    for (const double row : {1.0, 2.0}) {
        CHECK(column("first_largest", row).front() > 0.18);
        CHECK(column("first_largest", row).back() < 0.22);
        CHECK(column("first_corners", row).front() > 0.78);
        CHECK(column("first_corners", row).back() < 0.86);
        CHECK(column("exact", row).back() < column("exact", row - 1).front());
    }
    CHECK(column("second_largest", 1).front() > 0.85);
    CHECK(column("second_largest", 2).back() < 0.5);
    CHECK(column("failures", 2).front() > column("failures", 1).back());
}
// [claim_targets]

// [claim_tours]
TEST_CASE("tours are shorter than the nearest neighbour's, and longer than the shortest",
          "[09][claim]")
{
    const program::NumericTable table = committed_table("trained_tours.csv");
    for (std::size_t i = 0; i < table.n_rows(); ++i) {
        CHECK(table.column("pointed")[i] < table.column("neighbour")[i]);
        CHECK(table.column("shortest")[i] < 0.9);
        if (table.column("points")[i] == 8) {
            CHECK_THAT(table.column("pointed")[i], WithinAbs(1.01, 0.005));
            CHECK_THAT(table.column("neighbour")[i], WithinAbs(1.09, 0.01));
        } else if (table.column("points")[i] == 12) {
            CHECK(table.column("shortest")[i] < 0.3);
            CHECK_THAT(table.column("pointed")[i], WithinAbs(1.05, 0.01));
            CHECK_THAT(table.column("neighbour")[i], WithinAbs(1.12, 0.01));
        }
    }
}
// [claim_tours]
