/// \file
/// \brief Your turn: write chapter 9's pointing with a mask, and the area that judges a hull.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 09 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "chapters/09_pointer_network/geometry.hpp"
#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 9.
namespace attn::pointer_network::your_turn {

/// At each step the position of the largest score that no earlier step has pointed at. Of equal
/// scores the lower position wins.
/// \param scores  u [n_steps, n_elements], at most as many steps as elements, no nan
/// \returns       [n_steps], all different
inline Order point_with_mask([[maybe_unused]] const Matrix& scores)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/09_pointer_network/your_turn.hpp: point_with_mask");
}

/// The area of a polygon, positive if its corners go counter-clockwise, negative if clockwise.
/// \param corners  in order, any number
inline double area_of([[maybe_unused]] std::span<const Point> corners)
{
    throw attn::your_turn::NotWrittenYet("chapters/09_pointer_network/your_turn.hpp: area_of");
}

} // namespace attn::pointer_network::your_turn
