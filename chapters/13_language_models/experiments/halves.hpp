/// \file
/// \brief The transformer's two halves: what a layer of each has, and that a decoder without a
/// source is an encoder under a mask.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "common/program/run.hpp"

#include <cstdint>

namespace attn::language_models {

/// A layer of the decoder whose attention to the source adds nothing, and one of the encoder with
/// its other parameters, under a causal mask.
/// \returns  the largest difference between their rows, of random ones
double compare_halves(const LayerOptions& options, std::uint64_t seed);

/// Prints the section.
void show_halves(program::Frame& frame);

} // namespace attn::language_models
