/// \file
/// \brief One task on which every part of a training can be seen to matter: the optimiser, the
/// mini-batch, the validation set and the test set. Deliberately small: a model is trained in a
/// tenth of a second, so that whole grids of settings can be tried.
#pragma once

#include "chapters/04_backpropagation/learnt_scores.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::backpropagation {

// ---------------------------------------------------------------- the task

/// The lesson's task: which of 8 keys was the query made from? Keys have 8 normal numbers,
/// queries 12, each in a unit of its own: some numbers are 100 times as large as others.
inline constexpr std::size_t n_lesson_keys = 8;

/// The examples of the lesson.
struct Lesson
{
    Batch<float> train;      ///< what the gradients are made of
    Batch<float> validation; ///< what chooses among models
    Batch<float> test;       ///< looked at once
    Batch<float> fresh;      ///< many more, to see what the test set is worth
};

/// Draws the examples.
/// \param seed  of the map from keys to queries and of the examples
/// \returns     384, 384, 200 and 8000 examples
Lesson draw_lesson(std::uint64_t seed);

// ---------------------------------------------------------------- a training

/// How parameters follow their gradients.
enum class Method
{
    sgd,      ///< plain gradient descent
    momentum, ///< with momentum .9
    adam      ///< Adam
};

/// What is tried.
struct Attempt
{
    Method method;          ///< how parameters follow gradients
    double learning_rate;   ///< of the method
    std::size_t batch;      ///< examples a step
    std::size_t d_hidden;   ///< hidden units of the additive score
    std::size_t budget;     ///< examples seen, all in all
    std::uint64_t seed = 1; ///< of first parameters and of the order of the examples
};

/// How often a training is looked at.
inline constexpr std::size_t n_looks = 20;

/// What a score is worth on a set of examples.
struct Quality
{
    double loss = 0;     ///< cross-entropy of its weights
    double accuracy = 0; ///< share of queries whose right key scores highest
};

/// A training, looked at after equal parts of its budget.
struct History
{
    std::vector<Quality> train;      ///< [n_looks + 1], the first before the first step
    std::vector<Quality> validation; ///< [n_looks + 1]
    std::vector<Quality> test;       ///< [n_looks + 1]
    std::vector<Quality> fresh;      ///< [n_looks + 1]

    /// \returns the look at which the validation loss is lowest
    std::size_t best_look() const;
};

/// Trains the additive score with a bias. The order of the examples is drawn anew each time
/// all have been seen. A training that is not finite any more stays at its last look.
/// \param lesson   the examples
/// \param attempt  what is tried
/// \returns        how it went
History train(const Lesson& lesson, const Attempt& attempt);

} // namespace attn::backpropagation
