/// \file
/// \brief The layers that the chapter's question compares: attention over time as it was asked
/// about, three dense layers, and the poolings without parameters.
#pragma once

#include "common/autograd/softmax.hpp"
#include "common/nn/layers.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <optional>

/// Chapter 5: an attention layer beside dense ones.
namespace attn::attention_versus_dense {

using autograd::Mask;
using autograd::Variable;

// ---------------------------------------------------------------- attention over time

/// All that attention over time computed.
template <typename T>
struct Attended
{
    Variable<T> scores;  ///< c [batch, n_steps, 1]
    Variable<T> weights; ///< beta [batch, n_steps, 1], over time they sum to 1
    Variable<T> context; ///< f [batch, n_features]
};

/// Which bias the score has.
enum class ScoreBias
{
    none,    ///< c = X W
    one,     ///< one number for all steps
    per_step ///< b_t, a number for each step, as in the question
};

/// Whether a hyperbolic tangent stands before the softmax.
enum class Squash
{
    none, ///< c = X W + b
    tanh  ///< c = tanh(X W + b), as in the question
};

/// \f$ f_{nk} = \sum_t \beta_{nt} x_{ntk} \f$: the sum over time with given weights.
/// \param X        [batch, n_steps, n_features]
/// \param weights  beta [batch, n_steps, 1]
/// \returns        f [batch, n_features]
/// \throws ContractError naming both shapes if there is not one weight a step
template <typename T>
Variable<T> weighted_sum_over_time(const Variable<T>& X, const Variable<T>& weights);

/// The layer of the question: \f$ c = \tanh(X W + b) \f$, \f$ \beta \f$ its softmax over
/// time, \f$ f_k = \sum_t \beta_t x_{tk} \f$.
template <typename T>
struct AttentionOverTime
{
    Variable<T> W;                ///< [n_features, 1]: a number for each feature, for all steps
    std::optional<Variable<T>> b; ///< [n_steps, 1], [1], or none
    Squash squash;                ///< whether a tanh caps the scores

    /// Starts with W as PyTorch starts a linear layer, and with a bias of zeros.
    /// \param n_steps  T; counts only for a bias per step
    AttentionOverTime(std::size_t n_features, std::size_t n_steps, ScoreBias bias,
                      Squash squash_, random::Generator& generator);

    /// \param X        [batch, n_steps, n_features]
    /// \param mask     [batch, n_steps, 1], false for a step that is padding
    /// \throws ContractError naming both shapes if they do not go together: a bias per step
    ///         knows no other length
    Attended<T> operator()(const Variable<T>& X, const std::optional<Mask>& mask = {}) const;

    nn::Parameters<T> parameters() const; ///< W, and b if there is one
};

// ---------------------------------------------------------------- a gate at each step

/// What a gated sum computed.
template <typename T>
struct Gated
{
    Variable<T> gates; ///< g [batch, n_steps, 1], each between 0 and 1; they need not sum to 1
    Variable<T> context; ///< f [batch, n_features]
};

/// The steps multiplied by gates and added up: \f$ g = \sigma(X W + b) \f$ with the logistic
/// function, \f$ f_k = \sum_t g_t x_{tk} \f$. A product of the input with something computed
/// from it, as attention is, without a softmax.
template <typename T>
struct GatedSum
{
    Variable<T> W; ///< [n_features, 1]: a number for each feature, for all steps
    Variable<T> b; ///< [1]: one number for all steps

    /// Starts with W as PyTorch starts a linear layer, and with a bias of zero.
    GatedSum(std::size_t n_features, random::Generator& generator);

    /// \param X  [batch, n_steps, n_features], of any length
    /// \throws ContractError naming both shapes if they do not go together
    Gated<T> operator()(const Variable<T>& X) const;

    nn::Parameters<T> parameters() const; ///< W, b
};

// ---------------------------------------------------------------- three dense layers
//
// Each takes X [batch, n_steps, n_features], starts as PyTorch starts a linear layer, and
// throws a ContractError naming both shapes if they do not go together.

/// \f$ y_{ntm} = \sum_k x_{ntk} w_{km} + b_m \f$: each step by itself, all steps alike.
template <typename T>
struct DenseOverFeatures
{
    nn::Linear<T> linear; ///< w [n_features, n_units], b [n_units]

    /// Draws the parameters.
    DenseOverFeatures(std::size_t n_features, std::size_t n_units, random::Generator& generator)
        : linear(n_features, n_units, generator)
    {
    }

    /// \returns Y [batch, n_steps, n_units]
    Variable<T> operator()(const Variable<T>& X) const;

    nn::Parameters<T> parameters() const { return linear.parameters(); } ///< weight, bias
};

/// \f$ y_{nmk} = \sum_t w_{tm} x_{ntk} + b_m \f$: each feature by itself, all features alike.
template <typename T>
struct DenseOverTime
{
    Variable<T> weight; ///< w [n_steps, n_units]
    Variable<T> bias;   ///< b [n_units, 1]

    /// Draws the parameters.
    DenseOverTime(std::size_t n_steps, std::size_t n_units, random::Generator& generator);

    /// \returns Y [batch, n_units, n_features]
    Variable<T> operator()(const Variable<T>& X) const;

    nn::Parameters<T> parameters() const; ///< weight, bias
};

/// \f$ y_{nm} = \sum_t \sum_k w_{tkm} x_{ntk} + b_m \f$: nothing is shared.
template <typename T>
struct DenseOverBoth
{
    nn::Linear<T> linear; ///< w [n_steps n_features, n_units], b [n_units]

    /// Draws the parameters.
    DenseOverBoth(std::size_t n_steps, std::size_t n_features, std::size_t n_units,
                  random::Generator& generator)
        : linear(n_steps * n_features, n_units, generator)
    {
    }

    /// \returns Y [batch, n_units]
    Variable<T> operator()(const Variable<T>& X) const;

    nn::Parameters<T> parameters() const { return linear.parameters(); } ///< weight, bias
};

// ---------------------------------------------------------------- pooling

/// The mean over the steps, or over those that are not masked.
/// \param X        [batch, n_steps, n_features]
/// \param mask     [batch, n_steps, 1]; none masked if left out
/// \returns        [batch, n_features]; zeros where all steps are masked
/// \throws ContractError if X has no three axes, or the mask does not go together with it
template <typename T>
Variable<T> mean_over_time(const Variable<T>& X, const std::optional<Mask>& mask = {});

/// The largest number of each feature over all steps.
/// \param X  [batch, n_steps, n_features]
/// \returns  [batch, n_features]
/// \throws ContractError if X has no three axes
template <typename T>
Variable<T> max_over_time(const Variable<T>& X);

} // namespace attn::attention_versus_dense
