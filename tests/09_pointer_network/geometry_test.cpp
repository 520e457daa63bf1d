/// \file
/// \brief Hulls, areas, crossings and tours against answers by hand and by brute force.
#include "chapters/09_pointer_network/geometry.hpp"

#include "chapters/09_pointer_network/exercises/solutions.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

using namespace attn;
using namespace attn::pointer_network;
using Catch::Matchers::WithinAbs;

namespace {

using Points = std::vector<Point>;

Points random_points(std::size_t n, random::Generator& generator)
{
    Points points;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = generator.uniform();
        points.push_back({x, generator.uniform()});
    }
    return points;
}

/// Twice the area of the triangle a, b, c, positive if it turns to the left.
double twice_the_area(const Point& a, const Point& b, const Point& c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

} // namespace

TEST_CASE("a hull has every point on the left of each edge, and begins at the leftmost", "[09]")
{
    random::Generator generator(1);
    for (int round = 0; round < 200; ++round) {
        const Points points = random_points(3 + generator.below(15), generator);
        const Order hull = convex_hull(points);
        REQUIRE(hull.front() == leftmost(points));
        REQUIRE(is_simple(points, hull));
        for (std::size_t i = 0; i < hull.size(); ++i) {
            const Point& a = points[hull[i]];
            const Point& b = points[hull[(i + 1) % hull.size()]];
            for (std::size_t j = 0; j < points.size(); ++j) {
                const bool on_edge = points[j] == a || points[j] == b;
                REQUIRE((on_edge || twice_the_area(a, b, points[j]) > 0));
            }
        }
    }
}

TEST_CASE("points on an edge, and points twice, are no corners", "[09]")
{
    const Points square = {{1, 0}, {0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 1}, {1, 1}, {2, 2}};
    const Order hull = convex_hull(square);
    REQUIRE(hull.size() == 4);
    CHECK(square[hull[0]] == Point{0, 0});
    CHECK(square[hull[1]] == Point{2, 0});
    CHECK(square[hull[2]] == Point{2, 2});
    CHECK(square[hull[3]] == Point{0, 2});
    CHECK_THROWS_AS(convex_hull(Points{{0, 0}, {1, 1}, {2, 2}}), ContractError);
    CHECK_THROWS_AS(convex_hull(Points{{0, 0}, {1, 1}}), ContractError);
    CHECK_THROWS_AS(convex_hull(Points{}), ContractError);
}

TEST_CASE("areas have the sign of the way round", "[09]")
{
    const Points points = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
    CHECK_THAT(signed_area(points, Order{0, 1, 2, 3}), WithinAbs(12, 1e-12));
    CHECK_THAT(signed_area(points, Order{3, 2, 1, 0}), WithinAbs(-12, 1e-12));
    CHECK_THAT(signed_area(points, Order{0, 1, 2}), WithinAbs(6, 1e-12));
}

TEST_CASE("a polygon turned to its leftmost corner is the same polygon", "[09]")
{
    const Points points = {{4, 3}, {0, 3}, {0, 0}, {4, 0}};
    const Order wanted = {2, 3, 0, 1};
    CHECK(from_leftmost(points, {0, 1, 2, 3}) == wanted);
    CHECK(from_leftmost(points, {3, 2, 1, 0}) == wanted); // clockwise
    CHECK(from_leftmost(points, {1, 2, 3, 0}) == wanted);
    CHECK(from_leftmost(points, {}).empty());
}

TEST_CASE("a polygon that crosses or touches itself is not simple", "[09]")
{
    const Points square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    CHECK(is_simple(square, Order{0, 1, 2, 3}));
    CHECK(is_simple(square, Order{0, 1, 2}));
    CHECK_FALSE(is_simple(square, Order{0, 2, 1, 3}));
    const Points touching = {{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}};
    CHECK_FALSE(is_simple(touching, Order{0, 1, 2, 3, 4}));
}

TEST_CASE("the shortest tour is the best of all permutations", "[09]")
{
    random::Generator generator(2);
    for (int round = 0; round < 30; ++round) {
        const Points points = random_points(4 + generator.below(4), generator);
        const Order tour = shortest_tour(points);
        Order order(points.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        double best = std::numeric_limits<double>::infinity();
        do {
            best = std::min(best, tour_length(points, order));
        } while (std::next_permutation(order.begin(), order.end()));
        CHECK_THAT(tour_length(points, tour), WithinAbs(best, 1e-12));
        CHECK(tour.front() == leftmost(points));
        CHECK(signed_area(points, tour) > 0);
        Order sorted = tour;
        std::sort(sorted.begin(), sorted.end());
        CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
        CHECK(sorted.size() == points.size());
    }
    CHECK_THROWS_AS(shortest_tour(Points(2)), ContractError);
    CHECK_THROWS_AS(shortest_tour(Points(13)), ContractError);
}

TEST_CASE("the nearest neighbour goes to the nearest point left", "[09]")
{
    const Points line = {{0, 0}, {1, 0}, {-1.5, 0}, {4, 0}};
    CHECK(nearest_neighbour_tour(line, 0) == Order{0, 1, 2, 3});
    CHECK_THAT(tour_length(line, Order{0, 1, 2, 3}), WithinAbs(1 + 2.5 + 5.5 + 4, 1e-12));
}

TEST_CASE("the answers to the exercises are right", "[09][exercise]")
{
    CHECK(solutions::scores_to_sort(16, false) == 256);
    CHECK(solutions::scores_to_sort(16, true) == 136);
    CHECK_THAT(solutions::each_position(0.65, 16), WithinAbs(0.973, 0.0005));
    CHECK_THROWS_AS(solutions::each_position(1.5, 4), ContractError);
    CHECK_THAT(solutions::all_different(3), WithinAbs(6.0 / 27, 1e-12));
    CHECK_THAT(solutions::all_different(8), WithinAbs(0.0024, 0.00005));
}
