/// \file
/// \brief Hulls whose targets begin at the leftmost corner, at any, or at any and go either way: what
/// a network makes of an answer that can be written down in many ways.
#pragma once

#include "chapters/09_pointer_network/experiments/hulls.hpp"

#include <cstddef>
#include <vector>

namespace attn::pointer_network {

/// What a network answers, whatever corner it begins at and whichever way it goes; and how it
/// begins.
struct TargetsResult
{
    HullResult hulls = {};     ///< of the answers, turned to begin at their leftmost corner
    double first_largest = 0;  ///< mean of the largest weight of the first step
    double first_corners = 0;  ///< mean of the first step's weights on corners, together
    double second_largest = 0; ///< mean of the largest weight of the second step
};

/// \param lists  of one length
TargetsResult measure_targets(const PointerNetwork<float>& network,
                              const std::vector<std::vector<Point>>& lists);

/// Prints and saves the section on the targets of hulls.
/// \param leftmost  networks with targets from the leftmost corner, one a seed
/// \param n_steps   of each training
void show_hull_targets(program::Frame& frame,
                       const std::vector<PointerNetwork<float>>& leftmost, std::size_t n_steps);

} // namespace attn::pointer_network
