/// \file
/// \brief One task on which every part of a training can be seen to matter: the optimiser, the
/// mini-batch, the validation set and the test set. Deliberately small: a model is trained in a
/// tenth of a second, so that whole grids of settings can be tried.
#pragma once

#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::backpropagation {

// ---------------------------------------------------------------- the task

/// The examples of the lesson: which of 8 keys was the query made from? Keys have 8 standard
/// normal numbers. Queries have 12, each in a unit of its own: the first is 100 times as large
/// as the last.
struct Lesson
{
    Batch<float> train;      ///< what the gradients are made of
    Batch<float> validation; ///< what models are chosen by
    Batch<float> fresh;      ///< many more: what a model is really worth
};

/// How many examples the lesson has to learn from.
inline constexpr std::size_t n_lesson_train = 512;

/// How many of them a mini-batch has.
inline constexpr std::size_t n_lesson_batch = 16;

/// Draws the examples.
/// \param seed  of the map from keys to queries and of the examples
/// \returns     512, 512 and 1000 examples
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
    Method method;             ///< how parameters follow gradients
    std::size_t batch;         ///< examples a step
    double learning_rate;      ///< of the method
    std::size_t d_hidden = 32; ///< hidden units of the additive score
    std::uint64_t first = 1;   ///< decides first parameters and the order of the examples
};

/// How many examples an attempt may look at, all in all: each of them forty times.
inline constexpr std::size_t lesson_budget = 40 * n_lesson_train;

/// How often a training is looked at after its start, each time after as many examples.
inline constexpr std::size_t n_looks = 20;

/// What a model is worth on a set of examples.
struct Quality
{
    double loss = 0;     ///< cross-entropy of its weights
    double accuracy = 0; ///< share of queries whose right key scores highest
};

/// How many examples a small test set has.
inline constexpr std::size_t n_small_test = 100;

/// A model at one look.
struct Look
{
    Quality train;                   ///< on the examples that it learns from
    Quality validation;              ///< on those that models are chosen by
    Quality fresh;                   ///< on the many
    std::vector<double> small_tests; ///< [10], accuracy on each hundred of the fresh examples
};

/// Trains the additive score with a bias. The order of the examples is drawn anew each time
/// all have been seen.
/// \param lesson   the examples
/// \param attempt  what is tried
/// \returns        [n_looks + 1], the first before the first step
std::vector<Look> train(const Lesson& lesson, const Attempt& attempt);

// ---------------------------------------------------------------- many trainings

/// Trainings on the same examples.
struct Study
{
    std::vector<Attempt> attempts;        ///< what was tried
    std::vector<std::vector<Look>> looks; ///< [n_attempts][n_looks + 1]
};

/// The learning rates that every method is tried with.
/// \param quick  whether one is enough
/// \returns      .003, .01, .03, .1, .3, 1, 3; if quick, .03
std::vector<double> lesson_rates(bool quick);

/// Every method with every learning rate, on all examples at a time and on 16 of them; then
/// Adam on 16, at a rate of .01, with 8 and with 128 hidden units, and six more times from other
/// first parameters.
/// \param quick  whether one learning rate and one other start are enough
/// \returns      the attempts
std::vector<Attempt> lesson_attempts(bool quick);

/// Tries all of them on each seed's examples.
/// \param seeds      of the examples
/// \param attempts   what is tried
/// \param n_threads  how many trainings at a time; the result does not depend on it
/// \param after_each called when a training has ended, from any thread
/// \returns          a study for each seed
std::vector<Study> study_lesson(
    const std::vector<std::uint64_t>& seeds, const std::vector<Attempt>& attempts,
    std::size_t n_threads, const std::function<void()>& after_each = [] {});

/// One model of a study: an attempt, and the look at which it is taken.
struct Choice
{
    std::size_t attempt; ///< its place in the study
    std::size_t look;    ///< 0 to n_looks
};

/// Chooses among all looks of all attempts.
/// \param study  the trainings
/// \param cost   what should be low
/// \returns      the best of them, the first of equal ones
Choice choose(const Study& study, const std::function<double(const Look&)>& cost);

/// What a choice promised, and what it is worth on other examples.
struct Promise
{
    double promised; ///< accuracy on the examples that the choice was made by
    double kept;     ///< accuracy on fresh examples that it was not made by
    double loss;     ///< cross-entropy on all fresh examples
};

/// Chooses by the accuracy on a small test set, ten times, each time on another hundred of the
/// fresh examples.
/// \param study  the trainings
/// \returns      the mean of the ten promises, kept or not on the other 900
Promise choose_by_small_tests(const Study& study);

/// Chooses among the attempts with 32 hidden units and the usual first parameters that used a
/// method, by their validation loss.
/// \param study   the trainings
/// \param method  the method
/// \param batch   examples a step
/// \returns       the best of them
/// \throws ContractError if there is none
Choice best_of(const Study& study, Method method, std::size_t batch);

} // namespace attn::backpropagation
