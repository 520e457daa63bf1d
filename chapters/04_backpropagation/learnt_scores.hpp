/// \file
/// \brief The scores of chapter 3 on the tape, so that their parameters can be learnt, and the
/// tasks of retrieval on which they are. Deliberately without printing: report_learning.cpp does
/// that.
#pragma once

#include "chapters/03_scoring_functions/retrieval.hpp"
#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::backpropagation {

using autograd::Variable;

// ---------------------------------------------------------------- scores on the tape

/// The dot product of each query with each key of its table.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product divided by the root of the size.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> scaled_dot_product(const Variable<T>& queries, const Variable<T>& keys);

/// The cosine of the angle between query and key.
/// \param queries  [batch, n_queries, d], no query of length 0
/// \param keys     [batch, n_keys, d], no key of length 0
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> cosine(const Variable<T>& queries, const Variable<T>& keys);

/// The dot product with each key's bias \f$ -\frac12 \lVert k_j \rVert^2 \f$.
/// \param queries  [batch, n_queries, d]
/// \param keys     [batch, n_keys, d]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> dot_with_key_bias(const Variable<T>& queries, const Variable<T>& keys);

/// The multiplicative score, \f$ s_{ij} = q_i^\top W k_j \f$.
/// \param queries  [batch, n_queries, d_q]
/// \param keys     [batch, n_keys, d_k]
/// \param W        [d_q, d_k]
/// \returns        [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W);

/// The parameters of the additive score. Matrices multiply from the right, as in all that is
/// trained here: they are those of chapter 3 with rows and columns exchanged.
/// \tparam T  float or double
template <typename T>
struct AdditiveParameters
{
    Variable<T> W_q;              ///< [d_q, d_hidden]
    Variable<T> W_k;              ///< [d_k, d_hidden]
    std::optional<Variable<T>> b; ///< [d_hidden], if there is a bias
    Variable<T> w;                ///< [d_hidden, 1]
};

/// The additive score, \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$.
/// \param queries     [batch, n_queries, d_q]
/// \param keys        [batch, n_keys, d_k]
/// \param parameters  W_q, W_k, b and w
/// \returns           [batch, n_queries, n_keys]
/// \throws ContractError if the shapes do not go together
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters);

// ---------------------------------------------------------------- scores that can be learnt

/// A score with the parameters that it learns, if any.
/// \tparam T  float or double
template <typename T>
struct LearntScore
{
    std::string name;             ///< as the program prints it
    nn::Parameters<T> parameters; ///< shared with the function
    /// Queries [batch, n_queries, d_q], keys [batch, n_keys, d_k], to [batch, n_queries, n_keys].
    std::function<Variable<T>(const Variable<T>& queries, const Variable<T>& keys)> score;
};

/// The sizes that a score is made for.
struct ScoreSizes
{
    std::size_t d_q;           ///< numbers in a query
    std::size_t d_k;           ///< numbers in a key
    std::size_t d_hidden = 32; ///< hidden units of the additive score, rows of the projections
};

/// A score by its name, and how it begins.
/// \tparam T  float or double
template <typename T>
struct ScoreMaker
{
    std::string name;  ///< as the program prints it
    bool equal_sizes;  ///< whether it needs d_q = d_k
    /// Makes it with parameters drawn from the generator.
    std::function<LearntScore<T>(const ScoreSizes& sizes, random::Generator& generator)> make;
};

/// Every score that can be learnt here: dot, scaled dot, cosine with a temperature, dot with
/// key bias and a temperature, multiplicative, the same with key bias, projected, additive
/// without a bias and with one.
/// \returns  the table, in that order
template <typename T>
const std::vector<ScoreMaker<T>>& score_makers();

/// One of them.
/// \param name  as in the table
/// \returns     its maker
/// \throws ContractError if there is none of that name
template <typename T>
const ScoreMaker<T>& score_named(const std::string& name);

// ---------------------------------------------------------------- tasks

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
/// \param seed  of the rotation and of the map to 24 numbers
/// \returns     same, lengths, scale, rotated, noisy, 24 to 16
std::vector<RetrievalTask> learnt_tasks(std::uint64_t seed);

/// Tasks with 8 keys of 2, 4 or 8 normal numbers and little noise (.1), and with 8 of 16
/// symbols (noise .3). A query has half as many numbers again as a key.
/// \param seed  of the maps
/// \returns     the tasks in that order
std::vector<RetrievalTask> small_tasks(std::uint64_t seed);

/// Queries with a table of keys each.
/// \tparam T  float or double
template <typename T>
struct Batch
{
    Array<T> queries;                 ///< [batch, 1, d_q]
    Array<T> keys;                    ///< [batch, n_keys, d_k]
    std::vector<std::int64_t> chosen; ///< [batch], the key that each query was made from
};

/// Draws tables, chooses a key of each, and makes a query from it.
/// \param task       the task
/// \param generator  of keys, choices and noise
/// \param n          how many tables
/// \returns          the batch
template <typename T>
Batch<T> draw_batch(const RetrievalTask& task, random::Generator& generator, std::size_t n);

/// How a score does on a batch.
/// \param scores  [batch, 1, n_keys]
/// \param chosen  [batch], the right keys
/// \returns       the share of queries whose right key has the highest score
template <typename T>
double accuracy_of(const Variable<T>& scores, const std::vector<std::int64_t>& chosen);

// ---------------------------------------------------------------- learning

/// How long and how fast.
struct Training
{
    std::size_t n_steps = 600;   ///< steps of Adam
    std::size_t batch = 128;     ///< tables a step, all of them new
    double learning_rate = 0.01; ///< of Adam
    std::size_t n_test = 4000;   ///< tables of the test, all of them new
};

/// What a score has learnt.
struct LearntResult
{
    std::string score;          ///< its name
    std::size_t n_parameters;   ///< how many numbers it learnt
    double accuracy;            ///< share of test queries whose right key scores highest
    double cross_entropy;       ///< mean of -ln of the right key's weight, in the test
    std::vector<double> losses; ///< [n_steps], the cross-entropy of each step's batch
};

/// Trains scores on a task, side by side: at each step all of them see the same batch, and
/// Adam moves each by the gradient of its cross-entropy.
/// \param task      the task
/// \param names     of the scores; those that need equal sizes are left out where sizes differ
/// \param seed      of first parameters, batches and test
/// \param training  how long and how fast
/// \param d_hidden  hidden units of the additive score, rows of the projections
/// \returns         one result a score
std::vector<LearntResult> learn(const RetrievalTask& task,
                                const std::vector<std::string>& names, std::uint64_t seed,
                                const Training& training = {}, std::size_t d_hidden = 32);

// ---------------------------------------------------------------- what the root of d does

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
    bool adam;              ///< Adam, or plain gradient descent
    double learning_rate;   ///< of either
    std::size_t most_steps; ///< when to give up
};

/// What such a training took.
struct RootResult
{
    double first_loss;     ///< before the first step
    std::size_t n_steps;   ///< until nine queries of ten find their key; most_steps if never
    bool arrived;          ///< whether they do
};

/// Trains projections on rotated queries, 16 keys of 16 numbers, until nine of ten are found.
/// \param training  how
/// \param seed      of rotation, projections, batches and test
/// \returns         how long it took
RootResult train_projections(const RootTraining& training, std::uint64_t seed);

} // namespace attn::backpropagation
