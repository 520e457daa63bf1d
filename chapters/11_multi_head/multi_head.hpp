/// \file
/// \brief The layer: three projections, attention in several heads, and one projection of the
/// contexts. The kernel between the projections is a parameter.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/nn/layers.hpp"

#include <cstddef>
#include <functional>

namespace attn::multi_head {

/// How large a layer is.
struct MultiHeadSizes
{
    std::size_t d_model;              ///< d, numbers of a query's row, and of what comes out
    std::size_t n_heads;              ///< H, divides d
    std::size_t d_key_inputs = 0;     ///< numbers of what keys are made from; 0: d
    std::size_t d_value_inputs = 0;   ///< numbers of what values are made from; 0: d
    nn::Bias bias = nn::Bias::learnt; ///< of all four projections
};

/// Keys and values after their projections: made once for a memory that many queries meet, and
/// what a cache keeps.
template <typename T>
struct ProjectedMemory
{
    Variable<T> keys;   ///< K [batch, n_keys, d]
    Variable<T> values; ///< V [batch, n_keys, d]
};

/// What happened inside a layer.
template <typename T>
struct Inside
{
    Array<T> queries; ///< Q [batch, n_queries, d], the heads side by side
    Array<T> keys;    ///< K [batch, n_keys, d]
    Array<T> values;  ///< V [batch, n_keys, d]
    Array<T> weights; ///< A [batch, H, n_queries, n_keys]
};

/// Multi-head attention (\cite vaswani2017, section 3.2.2). With \f$ Q = X W_q + b_q \f$,
/// \f$ K = Y W_k + b_k \f$ and \f$ V = Z W_v + b_v \f$ it is
///
/// \f[ C^{(h)} = \softmax(Q^{(h)} K^{(h)\top} / \sqrt{d / H}) V^{(h)} , \f]
/// \f[ O = [C^{(1)}; \dots; C^{(H)}] W_o + b_o . \f]
///
/// The small matrices of the paper, one a head, stand side by side in ours. All functions throw
/// ContractError naming the shapes if they do not go together.
/// \tparam T  float or double
template <typename T>
struct MultiHeadAttention
{
    /// What positions do to projected queries or keys [batch, n, d] before they meet, in each
    /// head; the rows stand at first_position, first_position + 1, ...
    using Rotation = std::function<Variable<T>(
        const Variable<T>& projected, std::size_t n_heads, std::size_t first_position)>;

    nn::Linear<T> W_q;                        ///< [d, d]
    nn::Linear<T> W_k;                        ///< [d_key_inputs, d]
    nn::Linear<T> W_v;                        ///< [d_value_inputs, d]
    nn::Linear<T> W_o;                        ///< [d, d]
    std::size_t n_heads;                      ///< H
    Attend<T> attend = attend_in_one_step<T>; ///< the kernel
    Rotation rotate = {};                     ///< rotary positions, if there are some

    /// Starts as PyTorch's layer: W_q, W_k and W_v by \cite glorot2010, as one matrix if their
    /// shapes are equal, W_o as a linear layer, biases 0.
    /// \throws ContractError if d or H is 0, or H does not divide d
    MultiHeadAttention(const MultiHeadSizes& sizes, random::Generator& generator);

    /// Attention of queries to a memory.
    /// \param X        what queries are made from [batch, n_queries, d]
    /// \param Y        what keys are made from [batch, n_keys, d_key_inputs]
    /// \param Z        what values are made from [batch, n_keys, d_value_inputs]
    /// \param mask  which keys a query may attend to
    /// \param inside   if not null, receives what happened inside
    /// \returns        O [batch, n_queries, d]
    Variable<T> operator()(const Variable<T>& X, const Variable<T>& Y, const Variable<T>& Z,
                           const AttentionMask& mask = {}, Inside<T>* inside = nullptr) const;

    /// Self-attention: every row of X [batch, n, d] attends to all rows.
    /// \returns O [batch, n, d]
    Variable<T> operator()(const Variable<T>& X, const AttentionMask& mask = {},
                           Inside<T>* inside = nullptr) const
    {
        return (*this)(X, X, X, mask, inside);
    }

    /// K and V of Y and Z, whose rows stand at first_position, first_position + 1, ...
    ProjectedMemory<T> project(const Variable<T>& Y, const Variable<T>& Z,
                               std::size_t first_position = 0) const;

    /// Attention of X [batch, n_queries, d] to a memory whose keys stand at positions 0, 1, ...
    /// If the attention is causal the last query stands where the last key does; otherwise
    /// queries too are counted from 0, which matters to a layer that rotates them.
    /// \param weights  if not null, receives A [batch, H, n_queries, n_keys]
    /// \returns        O [batch, n_queries, d]
    Variable<T> attend_to(const Variable<T>& X, const ProjectedMemory<T>& memory,
                          const AttentionMask& mask = {}, Array<T>* weights = nullptr) const;

    /// \returns Q [batch, n_queries, d] of X, rotated by their positions if the layer does so
    Variable<T> queries_of(const Variable<T>& X, std::size_t first_position = 0) const;

    /// \returns "q_proj.", "k_proj.", "v_proj." and "out_proj." weight and bias
    nn::Parameters<T> parameters() const;
};

/// Which of the three projections are one and the same.
enum class Tied
{
    none,             ///< W_q, W_k and W_v are three
    queries_and_keys, ///< W_q = W_k: the score is symmetric
    keys_and_values,  ///< W_k = W_v
    all               ///< one matrix for all
};

/// Makes projections one and the same.
template <typename T>
void tie(MultiHeadAttention<T>& layer, Tied tied);

extern template struct MultiHeadAttention<float>;
extern template struct MultiHeadAttention<double>;

} // namespace attn::multi_head
