/// \file
/// \brief The pencil example of a memory that is written and read.
#pragma once

#include "common/program/run.hpp"

namespace attn::entity_network {

/// Prints the pencil example: one sentence written into three slots, one question read from them.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::entity_network
