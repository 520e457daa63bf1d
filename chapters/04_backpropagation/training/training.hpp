/// \file
/// \brief A training and what it is evaluated on: the optimiser, the mini-batch, the loss, and the
/// training, validation and fresh examples.
#pragma once

#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "common/nn/optimisers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace attn::backpropagation {

/// Queries with a table of keys each.
struct Batch
{
    Array<float> queries;             ///< [batch, 1, d_q]
    Array<float> keys;                ///< [batch, n_keys, d_k]
    std::vector<std::int64_t> chosen; ///< [batch], the key that each query was made from
};

/// The cross-entropy of the weights, the softmax of scores: the mean of \f$ -\ln \alpha_j \f$
/// at the right key. Scores are [batch, 1, n_keys], the right keys [batch].
Variable<float> cross_entropy_of(const Variable<float>& scores,
                                 const std::vector<std::int64_t>& chosen);

/// The share of queries whose right key has the highest score. Shapes as above.
/// \throws ContractError if there is not one row of scores a query
double accuracy_of(const Variable<float>& scores, const std::vector<std::int64_t>& chosen);

/// The examples of a training.
struct Split
{
    Batch train;      ///< what the gradients are made of
    Batch validation; ///< what models are chosen by
    Batch fresh;      ///< many more: what a model is really worth
};

/// How parameters follow their gradients: an optimiser by its name.
struct Method
{
    static const Method sgd;      ///< plain gradient descent
    static const Method momentum; ///< with momentum .9
    static const Method adam;     ///< Adam

    std::string_view name; ///< as tables print it and figures name it
    /// Makes the optimiser of some parameters.
    std::unique_ptr<nn::Optimiser<float>> (*optimiser)(const nn::Parameters<float>& parameters,
                                                       double learning_rate);

    bool operator==(const Method& other) const { return name == other.name; } ///< the same name
};

/// All methods, a row each: those above. A further one is a row more, and is tried in the grid
/// search; with learning rates of its own in root_of_d.cpp also there.
const std::vector<Method>& methods();

/// The settings of a training.
struct Hyperparameters
{
    Method method;             ///< how parameters follow gradients
    std::size_t batch;         ///< examples a step
    double learning_rate;      ///< of the method
    std::size_t d_hidden = 32; ///< hidden units of the additive score
    std::uint64_t seed = 1;    ///< decides first parameters and the order of the examples
};

/// How often a training goes through its examples.
inline constexpr std::size_t n_epochs = 40;

/// How often a model is evaluated after its start, each time after as many examples.
inline constexpr std::size_t n_evaluations = 20;

/// How many examples a small test set has.
inline constexpr std::size_t n_small_test = 100;

/// What a model is worth on a set of examples.
struct Metrics
{
    double loss = 0;     ///< cross-entropy of its weights
    double accuracy = 0; ///< share of queries whose right key scores highest
};

/// What a model is worth at one moment of its training.
struct Evaluation
{
    Metrics train;                   ///< on the examples that it learns from
    Metrics validation;              ///< on those that models are chosen by
    Metrics fresh;                   ///< on the many
    std::vector<double> small_tests; ///< accuracy on each hundred of the fresh examples
};

/// Trains the additive score with a bias. The order of the examples is drawn anew each epoch.
/// \returns [n_evaluations + 1], the first before the first step
std::vector<Evaluation> train(const Split& split, const Hyperparameters& settings);

} // namespace attn::backpropagation
