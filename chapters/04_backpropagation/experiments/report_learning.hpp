/// \file
/// \brief What the program of chapter 4 prints and keeps of its trainings, one function an
/// experiment. Deliberately without formulas: learnt_scores.hpp and training_lesson.hpp have
/// them.
#pragma once

#include "common/program/run.hpp"

namespace attn::backpropagation::report {

/// Prints and keeps what optimiser, mini-batch, validation set and test set are for.
/// \param frame  the program's terminal and files
void optimisers(program::Frame& frame);

/// Prints and keeps how well each score learns to find the key that a query was made from.
/// \param frame  the program's terminal and files
void retrieval(program::Frame& frame);

/// Prints and keeps how many steps a training takes with and without the root of d.
/// \param frame  the program's terminal and files
void root(program::Frame& frame);

} // namespace attn::backpropagation::report
