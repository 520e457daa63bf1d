/// \file
/// \brief Layers: parameters together with the operator that uses them, under PyTorch's names
/// and in PyTorch's layouts. Structs that anybody may read and compose: there is no base class,
/// and a model is a struct of layers. The recurrent ones are in recurrent_layers.hpp.
#pragma once

#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attn::nn {

using autograd::Variable;

/// Whether a linear layer adds a bias.
enum class Bias
{
    none,  ///< Y = X W
    learnt ///< Y = X W + b
};

/// Y = X W + b.
template <typename T>
struct Linear
{
    Variable<T> weight;              ///< W [n_in, n_out]
    std::optional<Variable<T>> bias; ///< b [n_out], or none

    /// Starts as PyTorch does, see initialise::pytorch_linear: the weight first, then the bias.
    /// \param n_in  numbers in a row of X, at least 1
    /// \throws ContractError if n_in is 0
    Linear(std::size_t n_in, std::size_t n_out, random::Generator& generator,
           Bias with_bias = Bias::learnt);

    /// \param x  X [..., n_in]
    /// \returns  Y [..., n_out]
    /// \throws ContractError naming both shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x) const;

    /// \returns weight, and bias if there is one
    Parameters<T> parameters() const;
};

/// A table with a row of numbers for each word.
template <typename T>
struct Embedding
{
    Variable<T> weight;                  ///< [n_words, d]
    std::optional<std::int64_t> padding; ///< a word that is not learnt, or none

    /// Starts as PyTorch does, with standard normal numbers; the padding word's are then zeroed.
    /// \param padding  a word that is not learnt, or none
    /// \throws ContractError if the padding is no word
    Embedding(std::size_t n_words, std::size_t d, random::Generator& generator,
              std::optional<std::int64_t> padding = std::nullopt);

    /// Starts with normal numbers of variance 1/d.
    static Embedding small(std::size_t n_words, std::size_t d, random::Generator& generator);

    /// \param words  each from 0 to n_words - 1, in the order of shape
    /// \param shape  holds as many numbers as there are words, [batch, n_steps] say
    /// \returns      [shape..., d]
    /// \throws ContractError naming the word that is not in the table, or if there are more or
    ///         fewer than the shape holds
    Variable<T> operator()(std::span<const std::int64_t> words, const Shape& shape) const;

    /// \returns weight
    Parameters<T> parameters() const;
};

/// Each row with mean 0 and variance 1, then times a gain and plus a bias \cite ba2016.
template <typename T>
struct LayerNorm
{
    Variable<T> weight; ///< the gain [d]
    Variable<T> bias;   ///< [d]
    double epsilon;     ///< added to the variance

    /// Starts with a gain of 1 and a bias of 0.
    /// \param epsilon_  finite, above 0
    explicit LayerNorm(std::size_t d, double epsilon_ = 1e-5);

    /// \param x  [..., d]
    /// \throws ContractError if x's last axis is not d, or epsilon is not finite and above 0
    Variable<T> operator()(const Variable<T>& x) const;

    /// \returns weight, bias
    Parameters<T> parameters() const;
};

/// Linear layers with a function between them, none behind the last.
template <typename T>
struct Mlp
{
    /// What stands between two layers: autograd::tanh<T>, say.
    using Activation = std::function<Variable<T>(const Variable<T>&)>;

    std::vector<Linear<T>> layers; ///< one fewer than there are sizes
    Activation activation;         ///< between two layers

    /// Starts as PyTorch does, layer by layer.
    /// \param sizes  of the input, of what is between, and of the output; at least two
    /// \throws ContractError if there are fewer than two sizes, or all but the last are not
    ///         above 0
    Mlp(const std::vector<std::size_t>& sizes, Activation activation,
        random::Generator& generator);

    /// \param x  [..., sizes.front()]
    /// \returns  [..., sizes.back()]
    /// \throws ContractError naming both shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x) const;

    /// \returns "0.weight", "0.bias", "2.weight", ...: PyTorch's names in a Sequential, where the
    ///          activations count as well
    Parameters<T> parameters() const;
};

extern template struct Linear<float>;
extern template struct Linear<double>;
extern template struct Embedding<float>;
extern template struct Embedding<double>;
extern template struct LayerNorm<float>;
extern template struct LayerNorm<double>;
extern template struct Mlp<float>;
extern template struct Mlp<double>;

} // namespace attn::nn
