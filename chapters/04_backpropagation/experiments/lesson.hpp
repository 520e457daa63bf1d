/// \file
/// \brief One task on which every part of a training can be seen to matter: the optimiser, the
/// mini-batch, the validation set and the test set. A model is trained in a tenth of a second, so
/// that whole grids of settings can be tried.
#pragma once

#include "chapters/04_backpropagation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::backpropagation {

/// How many examples the lesson has to learn from.
inline constexpr std::size_t n_lesson_train = 512;

/// How many of them a mini-batch has.
inline constexpr std::size_t n_lesson_batch = 16;

/// Draws 512 examples to learn from, 512 for validation and 1000 fresh ones: which of 8 keys was
/// the query made from? Keys have 8 standard normal numbers. Queries have 12, each in a unit of
/// its own: the first is 100 times as large as the last.
Split draw_lesson(std::uint64_t seed);

/// Trainings on the same examples.
struct Study
{
    std::vector<Attempt> attempts;                    ///< what was tried
    std::vector<std::vector<Evaluation>> evaluations; ///< [n_attempts][n_evaluations + 1]
};

/// Every method with every learning rate, on all examples at a time and on 16 of them; then
/// Adam on 16, at a rate of .01, with 8 and with 128 hidden units, and six more times from other
/// first parameters.
/// \param quick  whether one learning rate and one other start are enough
std::vector<Attempt> lesson_attempts(bool quick);

/// Tries all of them on each seed's examples.
/// \param n_threads  how many trainings at a time; the result does not depend on it
/// \param after_each called when a training has ended, from any thread
/// \returns          a study for each seed
std::vector<Study> study_lesson(
    const std::vector<std::uint64_t>& seeds, const std::vector<Attempt>& attempts,
    std::size_t n_threads, const std::function<void()>& after_each = [] {});

/// One model of a study.
struct Choice
{
    std::size_t attempt;    ///< its index in the study
    std::size_t evaluation; ///< 0 to n_evaluations
};

/// Chooses among all evaluations of all attempts.
/// \returns the best of them, the first of equal ones
Choice choose(const Study& study, const std::function<double(const Evaluation&)>& cost);

/// What a choice promised, and what it is worth on other examples.
struct Promise
{
    double promised; ///< accuracy on the examples that the choice was made by
    double kept;     ///< accuracy on fresh examples that it was not made by
    double loss;     ///< cross-entropy on all fresh examples
};

/// Chooses by the accuracy on a small test set, ten times, each time on another hundred of the
/// fresh examples.
/// \returns the mean of the ten promises, kept or not on the other 900
Promise choose_by_small_tests(const Study& study);

/// Chooses among the attempts with 32 hidden units and the usual first parameters that used a
/// method on batches of a size, by their validation loss.
/// \throws ContractError if there is none
Choice best_of(const Study& study, Method method, std::size_t batch);

} // namespace attn::backpropagation
