/// \file
/// \brief What pointer networks learn here: to sort numbers, to find convex hulls, to plan short
/// tours; and the loop that trains them.
#pragma once

#include "chapters/09_pointer_network/geometry.hpp"
#include "chapters/09_pointer_network/pointer_network.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::pointer_network {

/// Lists that a network learns from at once.
inline constexpr std::size_t batch_size = 64;

/// Lists of uniform numbers from 0 to 1; the answer points at them from the smallest on.
PointingBatch draw_sorting(std::size_t n_lists, std::size_t n, random::Generator& generator);

/// Random points of the unit square, n_lists times n.
std::vector<std::vector<Point>> draw_points(std::size_t n_lists, std::size_t n,
                                            random::Generator& generator);

/// Lists of points behind a stop symbol, which stands at (-1, -1); the answer goes around the
/// convex hull, from the leftmost point counter-clockwise, and stops. Positions count the stop
/// symbol.
PointingBatch hull_batch(const std::vector<std::vector<Point>>& lists);

/// The same with hulls that begin elsewhere, or go the other way.
/// \param hulls  one a list, positions among its points
PointingBatch hull_batch(const std::vector<std::vector<Point>>& lists,
                         std::vector<Order> hulls);

/// Lists of points; the answer is the shortest tour.
PointingBatch tour_batch(const std::vector<std::vector<Point>>& lists);

/// The elements of lists of points, behind a stop symbol or not.
/// \returns [n_lists, n or n + 1, 2]
Array<float> elements_of(const std::vector<std::vector<Point>>& lists, bool stop_symbol);

/// How a network is trained.
struct TrainingOptions
{
    std::size_t n_steps = 600; ///< batches
    double peak_rate = 0.01;   ///< Adam's; it falls in a straight line to 0
    std::uint64_t seed = 1;    ///< of everything
};

/// The batch of a step.
using DrawBatch = std::function<PointingBatch(random::Generator& generator)>;

/// Trains a new network by Adam on new lists at every step, gradients no longer than 1.
/// \returns  the network
/// \throws nn::Diverged if the loss is no number any more
PointerNetwork<float> train(const PointerOptions& options, const DrawBatch& draw,
                            const TrainingOptions& training);

} // namespace attn::pointer_network
