/// \file
/// \brief A layer of the encoder and a layer of the decoder: attention, two dense layers with a
/// ReLU between them, and around each a residual connection, a normalisation and dropout. Each
/// of them can be left away, to see what it is good for. Deliberately without words: what goes
/// in and what comes out are rows of d numbers.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "common/nn/layers.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// The transformer.
namespace attn::transformer {

using autograd::Variable;
using multi_head::Attend;
using multi_head::MultiHeadAttention;
using multi_head::ProjectedMemory;
using multi_head::Visible;

/// Where a sublayer's rows are normalised.
enum class NormPlace
{
    before, ///< pre-norm: \f$ x + f(\mathrm{norm}(x)) \f$, with one norm more behind the last
    after,  ///< post-norm, as in the paper: \f$ \mathrm{norm}(x + f(x)) \f$
    nowhere ///< \f$ x + f(x) \f$
};

/// \param place  any
/// \returns      "pre-norm", "post-norm" or "no norm"
std::string name_of(NormPlace place);

/// How large a layer is, and what it is made of.
struct LayerOptions
{
    std::size_t d_model = 64;           ///< d, numbers in a row
    std::size_t n_heads = 4;            ///< of every attention, divides d
    std::size_t d_ff = 128;             ///< numbers between the two dense layers
    NormPlace norm = NormPlace::before; ///< where rows are normalised
    double dropout = 0.0;               ///< probability, on what each sublayer adds, and on
                                        ///< the first layer's input
    bool residual = true;               ///< whether a sublayer adds to its input
    bool feed_forward = true;           ///< whether there are dense layers
    bool own_past = true;               ///< whether the decoder attends to what it has written
};

/// What differs between training and using: training passes where chance comes from.
using Dropping = random::Generator*;

/// \f$ \mathrm{FFN}(x) = \max(0, x W_1 + b_1) W_2 + b_2 \f$ (\cite vaswani2017, equation 2), on
/// each row alone.
/// \tparam T  float or double
template <typename T>
struct FeedForward
{
    nn::Linear<T> W_1; ///< [d, d_ff]
    nn::Linear<T> W_2; ///< [d_ff, d]

    /// Starts as PyTorch does.
    /// \param d          numbers in a row, at least 1
    /// \param d_ff       numbers in between, at least 1
    /// \param generator  advanced
    FeedForward(std::size_t d, std::size_t d_ff, random::Generator& generator);

    /// \param x  [..., d]
    /// \returns  [..., d]
    /// \throws ContractError naming both shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x) const;
};

/// A layer of the encoder: self-attention, then dense layers.
/// \tparam T  float or double
template <typename T>
struct EncoderLayer
{
    LayerOptions options;          ///< what it is made of
    MultiHeadAttention<T> self;    ///< every word asks every word
    FeedForward<T> feed_forward;   ///< for each word alone
    nn::LayerNorm<T> norm_self;    ///< of the first sublayer
    nn::LayerNorm<T> norm_forward; ///< of the second sublayer

    /// Starts as PyTorch's layer does.
    /// \param options_   sizes at least 1
    /// \param generator  advanced
    /// \throws ContractError if a size is 0 or the heads do not divide d
    EncoderLayer(const LayerOptions& options_, random::Generator& generator);

    /// \param x         [batch, n, d]
    /// \param visible   which words there are
    /// \param dropping  null: nothing is dropped
    /// \param weights   if not null, receives [batch, H, n, n]
    /// \returns         [batch, n, d]
    /// \throws ContractError naming the shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, const Visible& visible,
                           Dropping dropping = nullptr, Array<T>* weights = nullptr) const;

    /// \returns all that is learnt and used, under PyTorch's names
    nn::Parameters<T> parameters() const;
};

/// What both attentions of a decoder's layer looked at.
/// \tparam T  float or double
template <typename T>
struct DecoderWeights
{
    Array<T> self;   ///< [batch, H, n_target, n_target]; empty without that attention
    Array<T> source; ///< [batch, H, n_target, n_source]
};

/// Keys and values of the words written so far, as one layer of the decoder keeps them. There
/// is room for more words than there are.
/// \tparam T  float or double
template <typename T>
struct LayerCache
{
    ProjectedMemory<T> written; ///< [batch, room, d]
    ProjectedMemory<T> source;  ///< [batch, n_source, d]
};

/// A layer of the decoder: causal self-attention, attention to the source, dense layers.
/// \tparam T  float or double
template <typename T>
struct DecoderLayer
{
    LayerOptions options;          ///< what it is made of
    MultiHeadAttention<T> self;    ///< every word asks itself and the words before it
    MultiHeadAttention<T> source;  ///< every word asks the words of the source
    FeedForward<T> feed_forward;   ///< for each word alone
    nn::LayerNorm<T> norm_self;    ///< of the first sublayer
    nn::LayerNorm<T> norm_source;  ///< of the second sublayer
    nn::LayerNorm<T> norm_forward; ///< of the third sublayer

    /// Starts as PyTorch's layer does.
    /// \param options_   sizes at least 1
    /// \param generator  advanced
    /// \throws ContractError if a size is 0 or the heads do not divide d
    DecoderLayer(const LayerOptions& options_, random::Generator& generator);

    /// All words of a target at once.
    /// \param x          [batch, n_target, d]
    /// \param memory     the encoder's rows [batch, n_source, d]
    /// \param in_memory  which of them are words
    /// \param dropping   null: nothing is dropped
    /// \param weights    if not null, receives what was looked at
    /// \returns          [batch, n_target, d]
    /// \throws ContractError naming the shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, const Variable<T>& memory,
                           const Visible& in_memory, Dropping dropping = nullptr,
                           DecoderWeights<T>* weights = nullptr) const;

    /// One word more, with the keys and values of those before it.
    /// \param x          [batch, 1, d]
    /// \param n_written  words before it
    /// \param cache      of this layer; receives the word's key and value
    /// \param in_memory  which rows of the source are words
    /// \param weights    if not null, receives what was looked at, n_target being 1
    /// \returns          [batch, 1, d]
    /// \throws ContractError naming the shapes if they do not go together, or if the cache has
    ///         no room
    Variable<T> step(const Variable<T>& x, std::size_t n_written, LayerCache<T>& cache,
                     const Visible& in_memory, DecoderWeights<T>* weights = nullptr) const;

    /// \returns all that is learnt and used, under PyTorch's names
    nn::Parameters<T> parameters() const;
};

extern template struct FeedForward<float>;
extern template struct FeedForward<double>;
extern template struct EncoderLayer<float>;
extern template struct EncoderLayer<double>;
extern template struct DecoderLayer<float>;
extern template struct DecoderLayer<double>;

} // namespace attn::transformer
