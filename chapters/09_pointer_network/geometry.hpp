/// \file
/// \brief What a network's answers are judged by: convex hulls, areas, whether a polygon crosses
/// itself, and tours.
#pragma once

#include "chapters/09_pointer_network/orientation.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace attn::pointer_network {

/// An answer: positions in a list of points, in order.
using Order = std::vector<std::size_t>;

/// The corners of the convex hull, counter-clockwise from the leftmost point, of several the
/// lowest (\cite andrew1979). Points on an edge are no corners.
/// \throws ContractError if there are fewer than three corners
Order convex_hull(std::span<const Point> points);

/// The area of a polygon by the shoelace formula, positive if it is counter-clockwise.
double signed_area(std::span<const Point> points, std::span<const std::size_t> polygon);

/// Whether no two edges of a polygon meet but neighbours in their corner.
/// \param polygon  different positions, at least three
bool is_simple(std::span<const Point> points, std::span<const std::size_t> polygon);

/// The same polygon from its leftmost corner, of several the lowest, counter-clockwise.
Order from_leftmost(std::span<const Point> points, Order polygon);

/// The length of the way through all points of a tour and back to its first.
double tour_length(std::span<const Point> points, std::span<const std::size_t> tour);

/// The shortest tour, by dynamic programming over subsets (\cite held1962): 2^n n² steps. It begins
/// at the leftmost point and goes counter-clockwise, as its area tells.
/// \param points  from three to twelve
/// \throws ContractError if there are fewer or more
Order shortest_tour(std::span<const Point> points);

/// The tour that always goes on to the nearest point not yet visited.
/// \param first  where it begins
Order nearest_neighbour_tour(std::span<const Point> points, std::size_t first);

/// The leftmost point, of several the lowest.
/// \param points  at least one
std::size_t leftmost(std::span<const Point> points);

} // namespace attn::pointer_network
