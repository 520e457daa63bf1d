/// \file
/// \brief The feed-forward network of a layer: two dense layers that work on each row alone.
#pragma once

#include "common/nn/layers.hpp"
#include "common/random/random.hpp"

#include <cstddef>

namespace attn::transformer {

using autograd::Variable;

/// What stands between the two dense layers of a feed-forward network.
enum class HiddenActivation
{
    relu,     ///< \f$ \max(0, x) \f$, the transformer's
    gelu,     ///< \f$ x \Phi(x) \f$, BERT's
    gelu_tanh ///< its approximation by tanh, GPT-2's
};

/// \f$ \mathrm{FFN}(x) = \phi(x W_1 + b_1) W_2 + b_2 \f$ (\cite vaswani2017, equation 2, where
/// \f$ \phi \f$ is ReLU), on each row alone.
template <typename T>
struct FeedForward
{
    nn::Linear<T> W_1;           ///< [d, d_ff]
    nn::Linear<T> W_2;           ///< [d_ff, d]
    HiddenActivation activation; ///< \f$ \phi \f$

    /// Starts as PyTorch does. Sizes are at least 1.
    FeedForward(std::size_t d, std::size_t d_ff, random::Generator& generator,
                HiddenActivation activation_ = HiddenActivation::relu);

    /// \param x      [..., d]
    /// \param fused  whether the first product and its ReLU are one operator; the bits are the
    ///               same
    /// \returns      [..., d]
    /// \throws ContractError naming both shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, bool fused = true) const;

    /// \f$ \phi \f$ of every entry.
    Variable<T> activate(const Variable<T>& x) const;
};

extern template struct FeedForward<float>;
extern template struct FeedForward<double>;

} // namespace attn::transformer
