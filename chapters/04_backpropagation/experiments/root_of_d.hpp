/// \file
/// \brief What does the root of d do to a training? Projections are learnt with it and without.
#pragma once

#include "chapters/04_backpropagation/training/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::backpropagation {

/// What a training with projections to d numbers makes small.
enum class Objective
{
    weights, ///< the cross-entropy of the weights themselves
    values   ///< the squared error of the context, against the right key's value
};

/// A training in which queries and keys are projected to d numbers.
struct RootTraining
{
    std::size_t d;          ///< numbers after the projections
    bool scaled;            ///< whether the scores are divided by the root of d
    Objective objective;    ///< what is made small
    Method method;          ///< Adam, or plain gradient descent
    double learning_rate;   ///< of either
    std::size_t most_steps; ///< when to give up
};

/// What such a training took.
struct RootResult
{
    double first_loss;   ///< before the first step
    std::size_t n_steps; ///< until nine queries of ten find their key; most_steps if never
    bool arrived;        ///< whether they do
};

/// Trains projections on rotated queries, 16 keys of 16 numbers, until nine of ten are found.
RootResult train_projections(const RootTraining& training, std::uint64_t seed);

/// Prints and writes how many steps a training takes with and without the root, each at the best
/// of several learning rates, and how many of the trainings arrive.
void show_root(program::Frame& frame);

} // namespace attn::backpropagation
