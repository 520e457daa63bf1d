/// \file
/// \brief A layer of the encoder and a layer of the decoder: attention, two dense layers with a
/// ReLU between them, and around each a residual connection, a normalisation and dropout. Each
/// of them can be left away, to see what it is good for. Deliberately without words: what goes
/// in and what comes out are rows of d numbers.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/12_transformer/residual_rows.hpp"
#include "common/nn/key_value_cache.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <string>

/// The transformer.
namespace attn::transformer {

using multi_head::MultiHeadAttention;
using multi_head::Visible;
using nn::DecodingRow;
using nn::KeyValueCache;

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
    bool self_attention = true;         ///< whether the decoder attends to what it has written
};

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

    /// \param x      [..., d]
    /// \param fused  whether the first product and its ReLU are one operator; the bits are the
    ///               same
    /// \returns      [..., d]
    /// \throws ContractError naming both shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, bool fused = true) const;
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

    /// Adds to rows what the layer makes of them.
    /// \param x        [batch, n, d]
    /// \param visible  which words there are
    /// \param rng      of dropout; null: nothing is dropped
    /// \param weights  if not null, receives [batch, H, n, n]
    /// \throws ContractError naming the shapes if they do not go together
    void operator()(ResidualRows<T>& x, const Visible& visible,
                    random::Generator* rng = nullptr, Array<T>* weights = nullptr) const;

    /// The same of rows that come from nowhere.
    /// \param x        [batch, n, d]
    /// \param visible  which words there are
    /// \param rng      of dropout; null: nothing is dropped
    /// \returns        [batch, n, d]
    /// \throws ContractError naming the shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, const Visible& visible,
                           random::Generator* rng = nullptr) const;

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

    /// Adds to the rows of a whole target what the layer makes of them.
    /// \param x          [batch, n_target, d]
    /// \param memory     the encoder's rows [batch, n_source, d]
    /// \param in_memory  which of them are words
    /// \param rng        of dropout; null: nothing is dropped
    /// \param weights    if not null, receives those of both attentions
    /// \throws ContractError naming the shapes if they do not go together
    void operator()(ResidualRows<T>& x, const Variable<T>& memory, const Visible& in_memory,
                    random::Generator* rng = nullptr,
                    DecoderWeights<T>* weights = nullptr) const;

    /// The same of rows that come from nowhere.
    /// \param x          [batch, n_target, d]
    /// \param memory     the encoder's rows [batch, n_source, d]
    /// \param in_memory  which of them are words
    /// \returns          [batch, n_target, d]
    /// \throws ContractError naming the shapes if they do not go together
    Variable<T> operator()(const Variable<T>& x, const Variable<T>& memory,
                           const Visible& in_memory) const;

    /// One word more of one sentence, with the keys and values of those before it: adds to its
    /// row what the layer makes of it, and leaves there the weights over the source.
    /// \param row      of the word
    /// \param written  the words before it; receives its key and value
    /// \param read     the words of the source
    void step(DecodingRow<T>& row, KeyValueCache<T>& written,
              const KeyValueCache<T>& read) const;

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
