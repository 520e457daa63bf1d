/// \file
/// \brief Attention beside recurrence: recall against what is kept, parity, and the verdict.
#pragma once

#include "common/program/run.hpp"

namespace attn::multi_head {

/// Chapter 6's recall against the numbers that are kept, the parity of all bits so far, and all
/// that speaks for and against recurrence, side by side.
void show_recurrence(program::Frame& frame);

} // namespace attn::multi_head
