/// \file
/// \brief Your turn: write chapter 10's gate and its update.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 10 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

/// What the reader writes in chapter 10.
namespace attn::entity_network::your_turn {

/// How far each slot opens for a sentence (equation 2).
/// \param sentence  s [d]
/// \param contents  h [n_slots, d]
/// \param keys      w [n_slots, d]
/// \returns         g [n_slots], each from 0 to 1
inline Vector gates([[maybe_unused]] const Vector& sentence,
                    [[maybe_unused]] const Matrix& contents,
                    [[maybe_unused]] const Matrix& keys)
{
    throw attn::your_turn::NotWrittenYet("chapters/10_entity_network/your_turn.hpp: gates");
}

/// What the slots hold after a sentence (equations 4 and 5): each row of length 1.
/// \param contents    h [n_slots, d]
/// \param gate        g [n_slots]
/// \param candidates  what may be written [n_slots, d]
/// \returns           h [n_slots, d]
inline Matrix write([[maybe_unused]] const Matrix& contents,
                    [[maybe_unused]] const Vector& gate,
                    [[maybe_unused]] const Matrix& candidates)
{
    throw attn::your_turn::NotWrittenYet("chapters/10_entity_network/your_turn.hpp: write");
}

} // namespace attn::entity_network::your_turn
