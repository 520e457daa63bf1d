#include "chapters/13_language_models/your_turn.hpp"

#include "tests/support/catch.hpp"

#include <numeric>

using namespace attn;
using Catch::Matchers::WithinAbs;
namespace yours = attn::language_models::your_turn;

using Places = std::vector<std::size_t>;

// ---------------------------------------------------------------- top-p

TEST_CASE("top-p, probabilities", "[13][your_turn]")
{
    for (const double p : {0.1, 0.5, 0.95, 1.0}) {
        const Vector kept = yours::top_p({0.4, 0.3, 0.2, 0.1}, p);
        REQUIRE(kept.size() == 4);
        INFO("with p = " << p << " what is left must sum to 1: divide by its sum");
        CHECK_THAT(std::accumulate(kept.begin(), kept.end(), 0.0), WithinAbs(1, 1e-12));
    }
}

TEST_CASE("top-p, the fewest tokens", "[13][your_turn]")
{
    const Vector kept = yours::top_p({0.5, 0.25, 0.125, 0.125}, 0.7);
    REQUIRE(kept.size() == 4);
    INFO("0.5 is less than 0.7, and 0.5 + 0.25 is enough: the token with which the sum reaches "
         "p stays, and none after it");
    CHECK_THAT(kept(0), WithinAbs(2.0 / 3, 1e-12));
    CHECK_THAT(kept(1), WithinAbs(1.0 / 3, 1e-12));
    CHECK_THAT(kept(2), WithinAbs(0, 1e-12));
}

TEST_CASE("top-p, any order", "[13][your_turn]")
{
    const Vector kept = yours::top_p({0.125, 0.5, 0.125, 0.25}, 0.7);
    REQUIRE(kept.size() == 4);
    INFO("the most probable tokens stay, wherever they stand: numbers 1 and 3, each in its "
         "place");
    CHECK_THAT(kept(1), WithinAbs(2.0 / 3, 1e-12));
    CHECK_THAT(kept(3), WithinAbs(1.0 / 3, 1e-12));
}

TEST_CASE("top-p, one is always left", "[13][your_turn]")
{
    const Vector kept = yours::top_p({0.2, 0.6, 0.2}, 0.1);
    REQUIRE(kept.size() == 3);
    INFO("the most probable token alone has more than 0.1, and it stays");
    CHECK_THAT(kept(1), WithinAbs(1, 1e-12));
}

// ---------------------------------------------------------------- induction

TEST_CASE("induction keys, one copy", "[13][your_turn]")
{
    INFO("token 3 is an A; the earlier A stands at 0, and what followed it at 1. It is the "
         "follower that is attended to, not the copy");
    CHECK(yours::induction_keys({7, 8, 9, 7}, 3) == Places{1});
}

TEST_CASE("induction keys, several copies", "[13][your_turn]")
{
    INFO("copies stand at 0 and 2, so places 1 and 3 are attended to");
    CHECK(yours::induction_keys({7, 8, 7, 9, 7}, 4) == Places{1, 3});
}

TEST_CASE("induction keys, nothing to repeat", "[13][your_turn]")
{
    INFO("the token has not been there before: no place");
    CHECK(yours::induction_keys({1, 2, 3, 4}, 3).empty());
    CHECK(yours::induction_keys({1}, 0).empty());
}

TEST_CASE("induction keys, nothing later", "[13][your_turn]")
{
    INFO("tokens after q have not been read: the mask is causal");
    CHECK(yours::induction_keys({5, 6, 5, 5, 6, 5}, 2) == Places{1});
}

TEST_CASE("induction keys, the token itself", "[13][your_turn]")
{
    INFO("5 5: the second follows an earlier copy of itself, so it attends to its own place");
    CHECK(yours::induction_keys({5, 5}, 1) == Places{1});
}
