/// \file
/// \brief The pencil example of pointing.
#pragma once

#include "common/program/run.hpp"

namespace attn::pointer_network {

/// Prints the pencil example: two steps that point, with and without the mask.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::pointer_network
