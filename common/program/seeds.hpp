/// \file
/// \brief Trainings from several seeds side by side: which seeds, and how they are run.
/// Deliberately without what came of them; that is spread.hpp's.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::program {

/// The seeds of the trainings: three, or one if quick.
/// \param frame  of the program
/// \returns      the reader's seed, and the two that follow it
std::vector<std::uint64_t> seeds_of(const Frame& frame);

/// Runs side by side, with a line that shows how far they are.
/// \param frame  of the program
/// \param label  what that line says
/// \param n      how many runs
/// \param work   what to do for a run, given its index
void side_by_side(const Frame& frame, const char* label, std::size_t n,
                  const std::function<void(std::size_t)>& work);

} // namespace attn::program
