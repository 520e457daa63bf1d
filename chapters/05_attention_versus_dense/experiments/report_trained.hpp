/// \file
/// \brief What the program of chapter 5 prints and keeps of its trainings, one function an
/// experiment. Deliberately without formulas: experiments.hpp says what is trained.
#pragma once

#include "chapters/05_attention_versus_dense/experiments/fitting.hpp"
#include "common/program/run.hpp"

#include <cstddef>

namespace attn::attention_versus_dense::report {

/// How the program trains: in full, or with --quick a few steps.
/// \param frame    the program's options
/// \param n_steps  of the full training
/// \returns        the settings
Training training_of(const program::Frame& frame, std::size_t n_steps);

/// Prints and keeps R^2 on the marked step against the number of examples, and on longer
/// sequences.
/// \param frame  the program's terminal and files
void marked_by_size(program::Frame& frame);

/// Prints and keeps R^2 on the marked step against the number of steps, with the ceiling.
/// \param frame  the program's terminal and files
void marked_by_length(program::Frame& frame);

/// Prints and keeps where a tanh hides one number a step.
/// \param frame  the program's terminal and files
void scalar_trap(program::Frame& frame);

/// Prints and keeps the sums of prices and interest rates.
/// \param frame  the program's terminal and files
void lags(program::Frame& frame);

/// Prints and keeps Raffel and Ellis' tasks.
/// \param frame  the program's terminal and files
void arithmetic(program::Frame& frame);

/// Prints and keeps who can tell which of two symbols came first.
/// \param frame  the program's terminal and files
void order(program::Frame& frame);

/// Keeps the weights of chosen samples, for a figure and for the interactive one.
/// \param frame  the program's files
void weights(program::Frame& frame);

} // namespace attn::attention_versus_dense::report
