/// \file
/// \brief What the program of chapter 5 prints and keeps of what holds without training: the
/// table of indices, the ceilings, the pencil example. Deliberately without formulas.
#pragma once

#include "common/program/run.hpp"

/// The program's tables and files.
namespace attn::attention_versus_dense::report {

/// Prints which index each layer's weights carry, how many there are and what they see.
/// \param frame  the program's terminal
void indices(program::Frame& frame);

/// Prints and keeps how much weight a capped score can give, and what that costs.
/// \param frame  the program's terminal and files
void ceilings(program::Frame& frame);

/// Prints the pencil example through the layer of the question, every intermediate by its name
/// and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::attention_versus_dense::report
