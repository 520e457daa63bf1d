/// \file
/// \brief Adam's learning rate of each model, and what a third of it and three times it would do
/// on the marked step.
#pragma once

#include "common/program/run.hpp"

namespace attn::attention_versus_dense {

/// Prints and writes each model's learning rate, and R^2 in validation around it.
void show_learning_rates(program::Frame& frame);

/// Prints and writes what a falling rate and weight decay make of the gated network.
void show_falling_rate(program::Frame& frame);

} // namespace attn::attention_versus_dense
