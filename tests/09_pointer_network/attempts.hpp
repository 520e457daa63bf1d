/// \file
/// \brief Attempts at chapter 9's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/09_pointer_network/geometry.hpp"
#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <limits>
#include <span>

namespace attn::pointer_network::your_turn {

using testing::Mistake;

/// What has been chosen may be chosen again.
inline const Mistake no_mask("point_with_mask: no_mask", "what has been chosen is hidden");
/// What has been chosen has the score 0.
inline const Mistake mask_of_zero("point_with_mask: mask_of_zero", "must not count as 0");

inline Order point_with_mask(const Matrix& scores)
{
    Matrix left = scores;
    Order order;
    for (std::size_t step = 0; step < scores.shape()[0]; ++step) {
        std::size_t best = 0;
        for (std::size_t j = 1; j < scores.shape()[1]; ++j) {
            best = left(step, j) > left(step, best) ? j : best;
        }
        order.push_back(best);
        for (std::size_t later = 0; later < scores.shape()[0] && !no_mask; ++later) {
            left(later, best) = mask_of_zero ? 0 : -std::numeric_limits<double>::infinity();
        }
    }
    return order;
}

/// The sum itself, which is twice the area.
inline const Mistake twice_the_area("area_of: twice_the_area", "twice the area");
/// The last edge is forgotten.
inline const Mistake left_open("area_of: left_open", "the polygon is closed");

inline double area_of(std::span<const Point> corners)
{
    double sum = 0;
    for (std::size_t i = 0; i + (left_open ? 1 : 0) < corners.size(); ++i) {
        const Point& a = corners[i];
        const Point& b = corners[(i + 1) % corners.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return twice_the_area ? sum : sum / 2;
}

} // namespace attn::pointer_network::your_turn
