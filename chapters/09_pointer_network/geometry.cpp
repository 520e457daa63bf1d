#include "chapters/09_pointer_network/geometry.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace attn::pointer_network {

namespace {

double distance(const Point& a, const Point& b)
{
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

bool is_left_of(const Point& a, const Point& b)
{
    return std::tie(a.x, a.y) < std::tie(b.x, b.y);
}

/// Whether c, known to be on the line through a and b, is between them.
bool is_between(const Point& a, const Point& b, const Point& c)
{
    return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) &&
           std::min(a.y, b.y) <= c.y && c.y <= std::max(a.y, b.y);
}

bool segments_meet(const Point& a, const Point& b, const Point& c, const Point& d)
{
    const int c_side = turn(a, b, c);
    const int d_side = turn(a, b, d);
    const int a_side = turn(c, d, a);
    const int b_side = turn(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) {
        return true;
    }
    return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
           (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

/// One half of the hull: positions in the order of the points, turning to the left.
Order half_hull(std::span<const Point> points, const Order& order)
{
    Order half;
    for (const std::size_t next : order) {
        while (half.size() >= 2 &&
               turn(points[half[half.size() - 2]], points[half.back()], points[next]) <= 0) {
            half.pop_back();
        }
        half.push_back(next);
    }
    half.pop_back(); // it begins the other half
    return half;
}

} // namespace

std::size_t leftmost(std::span<const Point> points)
{
    return static_cast<std::size_t>(std::min_element(points.begin(), points.end(), is_left_of) -
                                    points.begin());
}

Order convex_hull(std::span<const Point> points)
{
    Order order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return is_left_of(points[a], points[b]); });
    Order hull = points.empty() ? Order{} : half_hull(points, order);
    std::reverse(order.begin(), order.end());
    const Order upper = points.empty() ? Order{} : half_hull(points, order);
    hull.insert(hull.end(), upper.begin(), upper.end());
    expect(hull.size() >= 3, "convex_hull: {} points have no three corners", points.size());
    return hull;
}

double signed_area(std::span<const Point> points, std::span<const std::size_t> polygon)
{
    double twice = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point& a = points[polygon[i]];
        const Point& b = points[polygon[(i + 1) % polygon.size()]];
        twice += a.x * b.y - b.x * a.y;
    }
    return twice / 2;
}

bool is_simple(std::span<const Point> points, std::span<const std::size_t> polygon)
{
    const std::size_t n = polygon.size();
    const auto corner = [&](std::size_t i) { return points[polygon[i % n]]; };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 2; j < n; ++j) {
            const bool neighbours = i == 0 && j + 1 == n;
            if (!neighbours &&
                segments_meet(corner(i), corner(i + 1), corner(j), corner(j + 1))) {
                return false;
            }
        }
    }
    return true;
}

Order from_leftmost(std::span<const Point> points, Order polygon)
{
    if (signed_area(points, polygon) < 0) {
        std::reverse(polygon.begin(), polygon.end());
    }
    std::rotate(polygon.begin(),
                std::min_element(polygon.begin(), polygon.end(),
                                 [&](std::size_t a, std::size_t b) {
                                     return is_left_of(points[a], points[b]);
                                 }),
                polygon.end());
    return polygon;
}

double tour_length(std::span<const Point> points, std::span<const std::size_t> tour)
{
    double length = 0;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        length += distance(points[tour[i]], points[tour[(i + 1) % tour.size()]]);
    }
    return length;
}

Order shortest_tour(std::span<const Point> points)
{
    const std::size_t n = points.size();
    expect(n >= 3 && n <= 12, "shortest_tour: from three to twelve points, got {}", n);
    const std::size_t first = leftmost(points);
    const std::size_t n_subsets = std::size_t{1} << n;
    constexpr double never = std::numeric_limits<double>::infinity();
    // The shortest way from the first point through a subset to its last point.
    std::vector<double> shortest(n_subsets * n, never);
    std::vector<std::size_t> before(n_subsets * n, first);
    shortest[(std::size_t{1} << first) * n + first] = 0;
    for (std::size_t subset = 0; subset < n_subsets; ++subset) {
        for (std::size_t last = 0; last < n; ++last) {
            const double length = shortest[subset * n + last];
            for (std::size_t next = 0; length < never && next < n; ++next) {
                const std::size_t bit = std::size_t{1} << next;
                const std::size_t with = (subset | bit) * n + next;
                const double longer = length + distance(points[last], points[next]);
                if ((subset & bit) == 0 && longer < shortest[with]) {
                    shortest[with] = longer;
                    before[with] = last;
                }
            }
        }
    }
    const std::size_t all = n_subsets - 1;
    std::size_t last = first;
    double best = never;
    for (std::size_t i = 0; i < n; ++i) {
        const double length = shortest[all * n + i] + distance(points[i], points[first]);
        if (i != first && length < best) {
            best = length;
            last = i;
        }
    }
    Order tour;
    for (std::size_t subset = all; last != first;) {
        tour.push_back(last);
        const std::size_t earlier = before[subset * n + last];
        subset &= ~(std::size_t{1} << last);
        last = earlier;
    }
    tour.push_back(first);
    std::reverse(tour.begin(), tour.end());
    if (signed_area(points, tour) < 0) {
        std::reverse(tour.begin() + 1, tour.end());
    }
    return tour;
}

Order nearest_neighbour_tour(std::span<const Point> points, std::size_t first)
{
    Order tour = {first};
    std::vector<bool> visited(points.size(), false);
    visited.at(first) = true;
    while (tour.size() < points.size()) {
        std::size_t nearest = points.size();
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!visited[i] && (nearest == points.size() ||
                                distance(points[tour.back()], points[i]) <
                                    distance(points[tour.back()], points[nearest]))) {
                nearest = i;
            }
        }
        visited[nearest] = true;
        tour.push_back(nearest);
    }
    return tour;
}

} // namespace attn::pointer_network
