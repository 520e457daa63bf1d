/// \file
/// \brief The pencil-size example: two masks on its scores, and one row of scores as those of a
/// next token.
#pragma once

#include "common/program/run.hpp"

namespace attn::language_models {

/// Prints every step.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::language_models
