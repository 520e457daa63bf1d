/// \file
/// \brief The experiments of chapter 4, in the order of its page: gradients by hand, by the tape
/// and by differences, a width that is learnt, what a training consists of, and learnt scores.
#pragma once

#include "chapters/03_scoring_functions/retrieval.hpp"
#include "chapters/04_backpropagation/backpropagation.hpp"
#include "chapters/04_backpropagation/kernel_width.hpp"
#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "chapters/04_backpropagation/toy_tape.hpp"
#include "chapters/04_backpropagation/training/training.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::backpropagation {

// ---------------- the smallest example on a tape: L = (a b + a)^2

/// L = (a b + a)^2 on a tape: a, b, u = a b, v = u + a and L = v v, in this order.
/// \returns the tape, with its five steps, read in no direction yet
toy::Tape toy_example(double a, double b);

/// Prints the example's tape forwards and backwards, and the same by the book's own tape.
void show_toy_tape(program::Frame& frame);

// ---------------- how far differences are from a derivative that is known

/// How far differences are at most from the derivative of the exponential, relative to it, at
/// eleven points from 1 to 2: one point alone may be lucky in its rounding.
struct DifferenceErrors
{
    double central;      ///< of (f(x + h) - f(x - h)) / 2h
    double extrapolated; ///< of the same with h and h / 2, extrapolated to 0
};

/// The errors of differences with one step.
/// \param h  above 0
DifferenceErrors difference_errors(double h);

/// Prints these errors for steps from a tenth to a hundred-thousand-millionth.
void show_step_sizes(program::Frame& frame);

// ---------------- are the gradients by hand right?

/// A loss as a function of one matrix, everything else being fixed.
using Loss = std::function<double(const Matrix& x)>;

/// The gradient of a loss by central differences of steps h and h / 2, extrapolated to 0; h is a
/// thousandth of the entry, or of 1 if that is larger.
/// \param loss  called four times an entry
/// \returns     of the shape of x
Matrix gradient_by_differences(const Loss& loss, const Matrix& x);

/// One gradient, computed in three ways.
struct ThreeGradients
{
    std::string operation; ///< whose backward pass it is of
    std::string name;      ///< the gradient's, as on the page: "dQ"
    Matrix by_hand;        ///< by the formulas of backpropagation.hpp
    Matrix by_tape;        ///< by the operators of common/autograd
    Matrix by_differences; ///< by gradient_by_differences
};

/// The gradients of softmax, masked softmax, dot-product attention, the same with a mask, and
/// additive attention, for 3 random queries of 4 numbers, 5 keys, values of 2 numbers and 6
/// hidden units. The loss is a random projection of the result, so that every entry of it
/// counts. The mask hides some keys from the first two queries and all from the third.
std::vector<ThreeGradients> three_gradients(std::uint64_t seed);

/// Prints how far gradients by hand are from those of the tape and from central differences.
void show_gradients(program::Frame& frame);

// ---------------- the derivative of a context

/// A score and its gradient.
struct DifferentiableScore
{
    lookup::Score score; ///< as in chapter 3, or the logarithm of chapter 2's kernel
    std::string formula; ///< of the gradient of key j's score with respect to the query
    /// query [d_q], keys [n_keys, d_k] -> the gradient of each key's score, [n_keys, d_q]
    std::function<Matrix(const Vector& query, const Matrix& keys)> gradients;
};

/// Every score of chapter 3, and the Gaussian kernel of chapter 2. At a query of zeros the cosine,
/// which is 0 there by convention, has no gradient, and zeros are returned.
/// \param W          [d_q, d_k], of the multiplicative score
/// \param bandwidth  the Gaussian's width
/// \returns          dot, scaled dot, cosine, dot + key bias, multiplicative, additive,
///                   gaussian
/// \throws ContractError if the width is not positive and finite
std::vector<DifferentiableScore>
differentiable_scores(const Matrix& W, const scoring_functions::Additive& parameters,
                      double bandwidth);

/// The Jacobian of a context with respect to its query under one score.
struct ContextJacobian
{
    std::string score;     ///< the score's name
    std::string formula;   ///< of the score's gradient
    Matrix by_covariance;  ///< d c / d q, [d_v, d]
    Matrix by_differences; ///< the same by central differences
};

/// The Jacobian of a context with respect to its query, for several scores.
/// \param query   [d]
/// \param keys    [n_keys, d]
/// \param values  [n_keys, d_v]
std::vector<ContextJacobian> context_jacobians(const Vector& query, const Matrix& keys,
                                               const Matrix& values,
                                               const std::vector<DifferentiableScore>& scores);

/// Prints the Jacobian of a context with respect to its query, for every score.
void show_covariance(program::Frame& frame);

// ---------------- a width that is learnt

/// A width at which the error is lower than on both sides.
struct Minimum
{
    double width; ///< where the derivative changes its sign
    double error; ///< there
};

/// The local minima of the error between two widths: every change of the derivative's sign from
/// below 0 to above on a grid of 121 widths, each the same factor above the one before, refined
/// by bisection.
/// \returns from the narrowest to the widest
/// \throws ContractError unless 0 < low < high
std::vector<Minimum> local_minima(const WidthProblem& problem, double low, double high);

/// A table under its name.
struct NamedTable
{
    std::string name;               ///< "toy", "Old Faithful" or "cars"
    nadaraya_watson::Sample sample; ///< keys and values
};

/// The three tables of chapter 2: 40 points of y = 2 sin x + x + noise, the 272 eruptions of
/// Old Faithful, and the stopping distances of 50 cars.
std::vector<NamedTable> tables_of_chapter_2();

/// Prints and writes the descents on the width, with and without the mask.
void show_width(program::Frame& frame);

// ---------------- optimiser, mini-batch, validation set and test set

/// How many examples a mini-batch has.
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
Choice best_of(const GridSearch& search, const Method& method, std::size_t batch);

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

// ---------------- what can each score learn?

/// What the keys of a task are.
enum class Keys
{
    normal,    ///< standard normal numbers
    stretched, ///< the same, each key times a factor of its own after the query was made of it
    symbols    ///< one-hot vectors, all different in one table
};

/// A task of retrieval with as many keys as one likes.
struct RetrievalTask
{
    scoring_functions::Retrieval of; ///< name, map, noise and spread, as in chapter 3
    std::size_t n_keys = scoring_functions::n_retrieval_keys; ///< keys in a table
    Keys keys = Keys::normal;                                 ///< what they are
};

/// The tasks of chapter 3, and one more: "scale", where a key is stretched after the query was
/// made from it, so that lengths mean nothing.
/// \returns same, lengths, scale, rotated, noisy, 24 to 16
std::vector<RetrievalTask> learnt_tasks(std::uint64_t seed);

/// Tasks with 8 keys of 2, 4 or 8 normal numbers and little noise (.1), and with 8 of 16
/// symbols (noise .3). A query has half as many numbers again as a key.
std::vector<RetrievalTask> small_tasks(std::uint64_t seed);

/// Draws tables, chooses a key of each, and makes a query from it.
/// \param n  how many tables
Batch draw_batch(const RetrievalTask& task, random::Generator& generator, std::size_t n);

/// A score by its name, and how it begins.
template <typename T>
struct ScoreMaker
{
    std::string name; ///< as the program prints it
    bool equal_sizes; ///< whether it needs d_q = d_k
    /// Makes it with parameters drawn from the generator.
    std::function<LearntScore<T>(const ScoreSizes& sizes, random::Generator& generator)> make;
};

/// Every score that can be learnt here: dot, scaled dot, cosine with a temperature, dot with
/// key bias and a temperature, multiplicative, the same with key bias, projected, additive
/// without a bias and with one.
template <typename T>
const std::vector<ScoreMaker<T>>& score_makers();

/// One of them, in float.
/// \throws ContractError if there is none of that name
const ScoreMaker<float>& score_named(const std::string& name);

/// How long and how fast.
struct TrainingOptions
{
    std::size_t n_steps = 600;   ///< steps of Adam
    std::size_t batch = 64;      ///< tables a step, all of them new
    double learning_rate = 0.01; ///< of Adam
    std::size_t n_test = 4000;   ///< tables of the test, all of them new
};

/// What a score has learnt.
struct TrainedScore
{
    std::string score;          ///< its name
    std::size_t n_parameters;   ///< how many numbers it learnt
    double accuracy;            ///< share of test queries whose right key scores highest
    double cross_entropy;       ///< mean of -ln of the right key's weight, in the test
    std::vector<double> losses; ///< [n_steps], of each step's batch; none if nothing is learnt
};

/// Trains scores on a task, side by side: at each step all of them see the same batch, and
/// Adam moves each by the gradient of its cross-entropy.
/// \param names     of the scores; those that need equal sizes are left out where sizes differ
/// \param d_hidden  hidden units of the additive score, columns of the projections
std::vector<TrainedScore> train_scores(const RetrievalTask& task,
                                       const std::vector<std::string>& names,
                                       std::uint64_t seed, const TrainingOptions& options = {},
                                       std::size_t d_hidden = 32);

/// Prints and writes how well each score learns to find the key that a query was made from.
void show_learnt_retrieval(program::Frame& frame);

// ---------------- what does the root of d do to a training?

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
    Method method;          ///< how they follow the gradients
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

// ---------------- step by step with a pencil

/// Prints the pencil example forwards and backwards, every intermediate by its name and shape.
/// The first query should find the first value, the second the mean of the first two.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::backpropagation
