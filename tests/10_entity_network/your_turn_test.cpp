#include "chapters/10_entity_network/your_turn.hpp"

#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
using Catch::Matchers::WithinAbs;
namespace yours = attn::entity_network::your_turn;

// ---------------------------------------------------------------- gates

TEST_CASE("gates, of the pencil example", "[10][your_turn]")
{
    const Matrix slots = {{1, 0}, {0, 1}, {2, 2}};
    const Vector g = yours::gates({1, 0}, slots, slots);
    INFO("s . h + s . w is 2, 0 and 4; each gate is the sigmoid of its own number, and gates "
         "need "
         "not sum to 1");
    REQUIRE(g.size() == 3);
    CHECK_THAT(g(0), WithinAbs(0.8808, 1e-4));
    CHECK_THAT(g(1), WithinAbs(0.5, 1e-12));
    CHECK_THAT(g(2), WithinAbs(0.9820, 1e-4));
}

TEST_CASE("gates, key and content", "[10][your_turn]")
{
    INFO("the sentence is compared with key and content: what the slot holds counts as well");
    CHECK(yours::gates({3}, {{2}}, {{0}})(0) > 0.99);
    CHECK(yours::gates({3}, {{0}}, {{2}})(0) > 0.99);
    CHECK_THAT(yours::gates({3}, {{-2}}, {{2}})(0), WithinAbs(0.5, 1e-12));
}

// ---------------------------------------------------------------- writing

TEST_CASE("writing, a slot has length 1", "[10][your_turn]")
{
    const Matrix h = yours::write({{3, 4}, {0, 2}}, {1, 0.5}, {{1, 0}, {0, 2}});
    INFO("after a sentence each slot has length 1, whatever was written");
    for (std::size_t j = 0; j < 2; ++j) {
        CHECK_THAT(std::hypot(h(j, 0), h(j, 1)), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("writing, through an open gate", "[10][your_turn]")
{
    const Matrix h = yours::write({{1, 0}}, {1}, {{0, 1}});
    INFO("an open gate closes nothing out: the candidate is added to what is there, and both "
         "are left with equal shares");
    CHECK_THAT(h(0, 0), WithinAbs(std::sqrt(0.5), 1e-12));
    CHECK_THAT(h(0, 1), WithinAbs(std::sqrt(0.5), 1e-12));
}

TEST_CASE("writing, through a closed gate", "[10][your_turn]")
{
    const Matrix h = yours::write({{0.6, 0.8}}, {0}, {{5, -7}});
    INFO("through a closed gate nothing is written");
    CHECK_THAT(h(0, 0), WithinAbs(0.6, 1e-12));
    CHECK_THAT(h(0, 1), WithinAbs(0.8, 1e-12));
}
