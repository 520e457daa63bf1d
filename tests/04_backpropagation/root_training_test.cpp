/// \file
/// \brief What the root of d does to a training: over three seeds as committed, and one seed
/// trained again.
#include "chapters/04_backpropagation/experiments/root_training.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/committed_table.hpp"

#include <cmath>

using namespace attn;
using namespace attn::backpropagation;
using attn::testing::committed_table;

// [claim_root]
TEST_CASE("the root saves Adam steps through the context, and SGD and weights none",
          "[04][claim]")
{
    const program::NumericTable table = committed_table("trained_root.csv");
    REQUIRE(table.n_rows() == 9);
    const auto at = [&](const char* column, std::size_t row) {
        return table.column(column)[row];
    };
    for (std::size_t row = 0; row < 3; ++row) { // context, Adam; d = 64, 256, 1024
        CAPTURE(row);
        CHECK(at("plain_lowest", row) >= 1.2 * at("scaled_highest", row));
    }
    CHECK(at("plain_median", 0) >= 1.5 * at("scaled_median", 0));
    CHECK(at("plain_median", 2) >= 4 * at("scaled_median", 2));
    for (std::size_t row = 3; row < 6; ++row) { // context, SGD
        CAPTURE(row);
        CHECK(at("plain_median", row) <= at("scaled_median", row));
    }
    for (std::size_t row = 6; row < 9; ++row) { // weights, Adam: equal, if not before the start
        CAPTURE(row);
        CHECK(std::abs(at("plain_median", row) - at("scaled_median", row)) <= 3);
        CHECK(at("plain_first_loss", row) > 10);
    }
    CHECK(at("plain_highest", 2) < 400); // everything arrives
}
// [claim_root]

TEST_CASE("one seed: steps with and without the root", "[04][train]")
{
    const auto steps = [](bool scaled, Objective objective) {
        const RootResult result =
            train_projections({256, scaled, objective, true, 0.003, 200}, 2);
        CHECK(result.arrived);
        return static_cast<double>(result.n_steps);
    };
    CHECK(steps(false, Objective::values) > 1.3 * steps(true, Objective::values));
    CHECK(std::abs(steps(false, Objective::weights) - steps(true, Objective::weights)) <= 4);
    CHECK(!train_projections({64, true, Objective::values, true, 0.003, 3}, 1).arrived);
}
