/// \file
/// \brief Who forecasts best, on constructed and on measured series, and where attention alone attends.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>

namespace attn::recurrent_attention {

/// Prints and saves comparisons on constructed series, with the weights.
void show_constructed(program::Frame& frame);

/// Prints and saves what longer trainings at several learning rates come to on constructed series.
/// \param n_steps  of the chapter's longest trainings; these take three tenths of them, or 50 if quick
void show_forecast_rates(program::Frame& frame, std::size_t n_steps);

/// Prints and saves comparisons on measured series.
void show_measured(program::Frame& frame);

} // namespace attn::recurrent_attention
