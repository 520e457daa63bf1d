/// \file
/// \brief What the program of chapter 4 prints and keeps of gradients, of the slope of a
/// context and of the learnt width, one function an experiment. Deliberately without formulas:
/// the other headers have them.
#pragma once

#include "common/program/run.hpp"

/// The program's tables and files.
namespace attn::backpropagation::report {

/// Prints how far gradients by hand are from those of the tape and from central differences.
/// \param frame  the program's terminal
void gradients(program::Frame& frame);

/// Prints the slope of a context with respect to its query, for every score.
/// \param frame  the program's terminal
void covariance(program::Frame& frame);

/// Prints and keeps the descents on the width of chapter 2's kernel.
/// \param frame  the program's terminal and files
void width(program::Frame& frame);

/// Prints the pencil example forwards and backwards, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::backpropagation::report
