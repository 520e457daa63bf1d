/// \file
/// \brief What the program of chapter 4 prints and writes, one function an experiment.
#pragma once

#include "common/program/run.hpp"

/// The program's tables and files.
namespace attn::backpropagation::report {

/// How far gradients by hand are from those of the tape and from central differences.
void gradients(program::Frame& frame);

/// The Jacobian of a context with respect to its query, for every score.
void covariance(program::Frame& frame);

/// The descents on the width of chapter 2's kernel.
void width(program::Frame& frame);

/// The pencil example forwards and backwards, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

/// What optimiser, mini-batch, validation set and test set are for.
void optimisers(program::Frame& frame);

/// How well each score learns to find the key that a query was made from.
void retrieval(program::Frame& frame);

/// How many steps a training takes with and without the root of d.
void root(program::Frame& frame);

} // namespace attn::backpropagation::report
