/// \file
/// \brief The pencil examples of pointing: three numbers that are put in order, and the example of
/// chapter 1.
#pragma once

#include "common/program/run.hpp"

namespace attn::pointer_network {

/// Prints how a score that is written by hand puts 7, 2 and 5 in order, step by step.
void show_three_numbers(program::Frame& frame);

/// Prints the pencil example of chapter 1: two steps that point, with and without the mask.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::pointer_network
