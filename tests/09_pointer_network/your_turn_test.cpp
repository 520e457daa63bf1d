#include "chapters/09_pointer_network/your_turn.hpp"

#include "tests/support/catch.hpp"

#include <vector>

using namespace attn;
using Catch::Matchers::WithinAbs;
using pointer_network::Order;
using pointer_network::Point;
namespace yours = attn::pointer_network::your_turn;

// ---------------------------------------------------------------- pointing

TEST_CASE("pointing, the largest score", "[09][your_turn]")
{
    INFO("step 1 points at the largest score of the first row, step 2 at that of the second");
    CHECK(yours::point_with_mask({{0, 3, 1}, {5, 0, 2}}) == Order{1, 0});
}

TEST_CASE("pointing, nothing twice", "[09][your_turn]")
{
    INFO("element 1 has the largest score at every step, but what has been chosen is hidden");
    CHECK(yours::point_with_mask({{1, 9, 2}, {1, 9, 2}, {1, 9, 2}}) == Order{1, 2, 0});
}

TEST_CASE("pointing, negative scores", "[09][your_turn]")
{
    INFO("all scores are negative: what is hidden must not count as 0, but as minus infinity");
    CHECK(yours::point_with_mask({{-5, -1}, {-7, -1}}) == Order{1, 0});
}

TEST_CASE("pointing, ties and short answers", "[09][your_turn]")
{
    INFO("of equal scores the lower position wins; there may be fewer steps than elements");
    CHECK(yours::point_with_mask({{4, 4, 4}}) == Order{0});
    CHECK(yours::point_with_mask({{2, 7, 7, 7}, {7, 7, 7, 0}}) == Order{1, 0});
}

// ---------------------------------------------------------------- area

TEST_CASE("area, of a square", "[09][your_turn]")
{
    const std::vector<Point> square = {{1, 1}, {3, 1}, {3, 3}, {1, 3}};
    INFO("a square of side 2 has the area 4, not 8: the shoelace sum is twice the area");
    CHECK_THAT(yours::area_of(square), WithinAbs(4, 1e-12));
}

TEST_CASE("area, the way round", "[09][your_turn]")
{
    const std::vector<Point> clockwise = {{0, 0}, {0, 1}, {1, 0}};
    INFO("clockwise corners have a negative area");
    CHECK_THAT(yours::area_of(clockwise), WithinAbs(-0.5, 1e-12));
}

TEST_CASE("area, the last edge", "[09][your_turn]")
{
    const std::vector<Point> far = {{10, 10}, {12, 10}, {11, 12}};
    INFO("the polygon is closed: the edge from the last corner to the first counts as well");
    CHECK_THAT(yours::area_of(far), WithinAbs(2, 1e-12));
}
