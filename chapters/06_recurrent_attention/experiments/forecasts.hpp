/// \file
/// \brief Who forecasts best, on constructed and on measured series, and where attention alone attends.
#pragma once

#include "common/program/run.hpp"

namespace attn::recurrent_attention {

/// Prints and saves comparisons on constructed series, with the weights.
void show_constructed(program::Frame& frame);

/// Prints and saves comparisons on measured series.
void show_measured(program::Frame& frame);

} // namespace attn::recurrent_attention
