/// \file
/// \brief The side of a line is right for all finite numbers: against whole numbers, which need no
/// rounding, moved to every size that a double has.
#include "chapters/09_pointer_network/orientation.hpp"

#include "chapters/09_pointer_network/geometry.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace attn;
using namespace attn::pointer_network;

namespace {

/// The sign by whole numbers.
int sign_of(std::int64_t ax, std::int64_t ay, std::int64_t bx, std::int64_t by, std::int64_t cx,
            std::int64_t cy)
{
    const std::int64_t twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    return twice > 0 ? 1 : twice < 0 ? -1 : 0;
}

} // namespace

TEST_CASE("a turn of whole numbers is exact at every size, in both directions",
          "[09][property]")
{
    random::Generator generator(9);
    for (const int exponent : {-1074, -1000, -540, -30, 0, 500, 1000}) {
        int n_straight = 0;
        for (int round = 0; round < 2000; ++round) {
            const std::size_t bound = round % 2 == 0 ? 4 : 1000000;
            std::int64_t k[6];
            Point points[3];
            for (int i = 0; i < 6; ++i) {
                k[i] = static_cast<std::int64_t>(generator.below(2 * bound + 1)) -
                       static_cast<std::int64_t>(bound);
                (i % 2 == 0 ? points[i / 2].x : points[i / 2].y) =
                    std::ldexp(static_cast<double>(k[i]), exponent);
            }
            const int wanted = sign_of(k[0], k[1], k[2], k[3], k[4], k[5]);
            n_straight += wanted == 0 ? 1 : 0;
            REQUIRE(turn(points[0], points[1], points[2]) == wanted);
            REQUIRE(turn(points[1], points[0], points[2]) == -wanted);
        }
        CHECK(n_straight > 10);
    }
}

TEST_CASE("one unit in the last place decides", "[09]")
{
    // 24 by 24 places around (0.5, 0.5), one unit apart, and the diagonal: products in double
    // see many of them on the wrong side.
    constexpr double unit = 0x1p-53;
    for (int i = 0; i < 24; ++i) {
        for (int j = 0; j < 24; ++j) {
            const Point p{0.5 + i * unit * 2, 0.5 + j * unit * 2};
            CHECK(turn(p, {12, 12}, {24, 24}) == (j > i) - (j < i));
        }
    }
    constexpr double huge = std::numeric_limits<double>::max();
    constexpr double tiny = std::numeric_limits<double>::denorm_min();
    CHECK(turn({-huge, -huge}, {huge, huge}, {0, tiny}) == 1);
    CHECK(turn({-huge, -huge}, {huge, huge}, {tiny, 0}) == -1);
    CHECK(turn({-huge, -huge}, {huge, huge}, {tiny, tiny}) == 0);
    CHECK(turn({0, 0}, {1, 0}, {0.5, tiny}) == 1);
}

TEST_CASE("hulls of large, thin and mixed points are right", "[09]")
{
    using Points = std::vector<Point>;
    CHECK(convex_hull(Points{{0, 0}, {1e200, 0}, {0, 1e200}, {1e199, 1e199}}) ==
          Order{0, 1, 2});
    CHECK(convex_hull(Points{{0, 0}, {1e-200, 0}, {0, 1e-200}, {1e-201, 1e-201}}) ==
          Order{0, 1, 2});
    CHECK(convex_hull(Points{{0, 0}, {1, 1e-300}, {2, 0}, {1, -1e-300}}) == Order{0, 3, 2, 1});
    CHECK(convex_hull(Points{{-1.7e308, 0}, {1.7e308, 0}, {0, 1}, {0, 0.5}}) == Order{0, 1, 2});
    CHECK_THROWS(convex_hull(Points{{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {1e300, 1e300}}));
}
