/// \file
/// \brief What can each score learn? Scores by their names, and the training in which they
/// learn a task of retrieval side by side.
#pragma once

#include "chapters/04_backpropagation/experiments/retrieval_tasks.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::backpropagation {

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

} // namespace attn::backpropagation
