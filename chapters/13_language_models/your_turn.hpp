/// \file
/// \brief Your turn: write chapter 13's top-p, and say where an induction head attends to.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 13 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the reader writes in chapter 13.
namespace attn::language_models::your_turn {

/// Nucleus sampling's probabilities: all but the fewest tokens that have p together are set to 0,
/// the rest is divided by its sum. Of equally probable tokens the one with the lower number
/// stays.
/// \param probabilities  [n_tokens], sum 1
/// \param p              above 0, at most 1
/// \returns              [n_tokens], sum 1
inline Vector top_p([[maybe_unused]] const Vector& probabilities, [[maybe_unused]] double p)
{
    throw attn::your_turn::NotWrittenYet("chapters/13_language_models/your_turn.hpp: top_p");
}

/// The places that an induction head attends to when it has read the tokens 0 to q: those whose
/// token followed an earlier copy of token q.
/// \param tokens  [n], n above q
/// \returns       places k from 1 to q, rising
inline std::vector<std::size_t>
induction_keys([[maybe_unused]] const std::vector<std::int64_t>& tokens,
               [[maybe_unused]] std::size_t q)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/13_language_models/your_turn.hpp: induction_keys");
}

} // namespace attn::language_models::your_turn
