/// \file
/// \brief The network of Raffel and Ellis (\cite raffel2015): attention over time between two
/// layers, without recurrence.
#pragma once

#include "chapters/05_attention_versus_dense/layers.hpp"

#include <cstddef>
#include <optional>

namespace attn::attention_versus_dense {

/// How the steps become one vector.
enum class Pooling
{
    attention, ///< weights from what stands in the step
    mean,      ///< equal weights
    maximum    ///< each number's largest
};

/// Sizes and choices of the network.
struct RaffelEllisSizes
{
    std::size_t n_features;               ///< K
    std::size_t d_hidden;                 ///< D, of the embedding
    std::size_t d_head;                   ///< hidden units after the pooling
    std::size_t n_outputs;                ///< numbers to predict
    Pooling pooling = Pooling::attention; ///< how the steps become one vector
    Squash squash = Squash::tanh;         ///< of the attention's score
};

/// What the network hands out.
template <typename T>
struct RaffelEllisOutput
{
    Variable<T> y;                       ///< [batch, n_outputs]
    std::optional<Attended<T>> attended; ///< of the embedded steps; none if it does not attend
};

/// \f$ h_t = \phi(W_e x_t + b_e) \f$, pooled over time to \f$ h \f$,
/// \f$ y = W_y \phi(W_s h + b_s) + b_y \f$, with \f$ \phi \f$ the leaky rectifier of slope
/// 0.01. Raffel and Ellis' last layer has \f$ \phi \f$ too; here an output may be negative.
template <typename T>
struct RaffelEllis
{
    nn::Linear<T> embedding;                       ///< [n_features, d_hidden]
    std::optional<AttentionOverTime<T>> attention; ///< of what was embedded, with one bias
    nn::Linear<T> head;                            ///< [d_hidden, d_head]
    nn::Linear<T> readout;                         ///< [d_head, n_outputs]
    Pooling pooling;                               ///< how the steps become one vector

    /// Starts its layers as PyTorch does.
    RaffelEllis(const RaffelEllisSizes& sizes, random::Generator& generator);

    /// \param X        [batch, n_steps, n_features], of any length
    /// \param mask     [batch, n_steps, 1], false for padding
    /// \throws ContractError naming both shapes if they do not go together, or if padding is to
    ///         be masked for the maximum
    RaffelEllisOutput<T> operator()(const Variable<T>& X,
                                    const std::optional<Mask>& mask = {}) const;

    nn::Parameters<T> parameters() const; ///< those of its layers
};

} // namespace attn::attention_versus_dense
