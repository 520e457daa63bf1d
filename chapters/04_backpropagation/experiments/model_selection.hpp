/// \file
/// \brief What are optimiser, mini-batch, validation set and test set for? One task on which
/// each of them can be seen to matter: a model is trained in a tenth of a second, so that whole
/// grids of hyperparameters can be tried.
#pragma once

#include "chapters/04_backpropagation/training/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::backpropagation {

/// How many examples there are to learn from.
inline constexpr std::size_t n_train_examples = 512;

/// How many of them a mini-batch has.
inline constexpr std::size_t n_mini_batch = 16;

/// Draws 512 examples to learn from, 512 for validation and 1000 fresh ones: which of 8 keys
/// was the query made from? Keys have 8 standard normal numbers. Queries have 12, each in a
/// unit of its own: the first is 100 times as large as the last.
Split draw_split(std::uint64_t seed);

/// The split with each number of a query divided by its standard deviation over the examples to
/// learn from. Only over these: what a model is evaluated on must not enter what it is given.
Split standardised(const Split& split);

/// One model of a grid search.
struct Choice
{
    std::size_t run;        ///< its index
    std::size_t evaluation; ///< 0 to n_evaluations
};

/// Trainings on the same examples.
struct GridSearch
{
    std::vector<Hyperparameters> grid;                ///< what was tried
    std::vector<std::vector<Evaluation>> evaluations; ///< [n_runs][n_evaluations + 1]

    /// What a chosen model is worth.
    const Evaluation& at(const Choice& choice) const
    {
        return evaluations[choice.run][choice.evaluation];
    }
};

/// Every method with every learning rate, on all examples at a time and on 16 of them; then
/// Adam on 16, at a rate of .01, with 8 and with 128 hidden units, and six more times from
/// other first parameters.
/// \param quick  whether one learning rate and one other start are enough
std::vector<Hyperparameters> hyperparameter_grid(bool quick);

/// Chooses among all evaluations of all runs, or of those that count.
/// \returns that of the lowest cost, the first of equal ones
/// \throws ContractError if no run counts
Choice choose(
    const GridSearch& search, const std::function<double(const Evaluation&)>& cost,
    const std::function<bool(const Hyperparameters&)>& counts = [](const auto&) {
        return true;
    });

/// Chooses among the runs with 32 hidden units and the usual first parameters that used a
/// method on batches of a size, by their validation loss.
/// \throws ContractError if there is none
Choice best_of(const GridSearch& search, Method method, std::size_t batch);

/// What a chosen model seems to be worth, and what it is worth on other examples.
struct Estimate
{
    double estimated_accuracy; ///< on the examples that the choice was made by
    double accuracy;           ///< on fresh examples that it was not made by
    double loss;               ///< cross-entropy on all fresh examples
};

/// Chooses by the accuracy on a small test set, ten times, each time on another hundred of the
/// fresh examples.
/// \returns the mean of the ten, the accuracy taken on the other 900
Estimate choose_by_small_tests(const GridSearch& search);

/// Prints and writes the grid search, that in equal units, and what choosing one model costs.
void show_model_selection(program::Frame& frame);

} // namespace attn::backpropagation
