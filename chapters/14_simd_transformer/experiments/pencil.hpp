/// \file
/// \brief Step by step with a pencil: the online softmax.
#pragma once

#include "common/program/run.hpp"

namespace attn::simd_transformer {

/// Prints the pencil example through the online softmax, tile by tile, every intermediate by
/// its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::simd_transformer
