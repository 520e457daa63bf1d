/// \file
/// \brief A layer of the encoder and a layer of the decoder: attention, two dense layers with a
/// ReLU between them, and around each a residual connection, a normalisation and dropout. Each
/// of them can be left away, to see what it is good for.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/12_transformer/feed_forward.hpp"
#include "chapters/12_transformer/residual_stream.hpp"
#include "chapters/12_transformer/training/key_value_cache.hpp"
#include "common/nn/layers.hpp"
#include "common/random/random.hpp"

#include <array>
#include <cstddef>
#include <string>

/// The transformer. T is float or double throughout.
namespace attn::transformer {

using multi_head::AttentionMask;
using multi_head::MultiHeadAttention;

/// Where a sublayer's rows are normalised.
enum class NormPlace
{
    before, ///< pre-norm: \f$ x + f(\mathrm{norm}(x)) \f$, with one norm more after the last
    after,  ///< post-norm, as in the paper: \f$ \mathrm{norm}(x + f(x)) \f$
    nowhere ///< \f$ x + f(x) \f$
};

/// What they are called, in this order.
inline constexpr std::array<const char*, 3> norm_names = {"pre-norm", "post-norm", "no norm"};
/// One of these.
std::string name_of(NormPlace place);

/// How large a layer is, and what it is made of.
struct LayerOptions
{
    std::size_t d_model = 64;           ///< d, numbers in a row
    std::size_t n_heads = 4;            ///< of every attention, divides d
    std::size_t d_ff = 128;             ///< numbers between the two dense layers
    NormPlace norm = NormPlace::before; ///< where rows are normalised
    double dropout = 0.0;          ///< probability, of what is added, and of the first input
    bool residual = true;          ///< whether a sublayer adds to its input
    bool encoder_residual = true;  ///< whether one of the encoder does, if residual
    bool decoder_residual = true;  ///< whether one of the decoder does, if residual
    bool feed_forward = true;      ///< whether there are dense layers
    bool self_attention = true;    ///< whether the decoder attends to what it has written
    bool encoder_attention = true; ///< whether the encoder's words attend to one another
    HiddenActivation activation = HiddenActivation::relu; ///< between the dense layers
};

/// A layer of the encoder: self-attention, then dense layers. Under a causal mask it is a layer
/// of a decoder that has no source. It starts as PyTorch's does. Throws ContractError if a size
/// is 0, the heads do not divide d, or shapes do not go together. Without rng nothing is dropped.
template <typename T>
struct EncoderLayer
{
    LayerOptions options;          ///< what it is made of
    MultiHeadAttention<T> self;    ///< every word asks every word
    FeedForward<T> feed_forward;   ///< for each word alone
    nn::LayerNorm<T> norm_self;    ///< of the first sublayer
    nn::LayerNorm<T> norm_forward; ///< of the second sublayer

    EncoderLayer(const LayerOptions& options_, random::Generator& generator); ///< untrained

    /// Adds to rows what the layer makes of them.
    /// \param x        [batch, n, d]
    /// \param mask     which words there are; causal: a word asks itself and those before it
    /// \param weights  if not null, receives [batch, H, n, n]
    /// \param own      if not null, receives keys and values of the first sentence's words
    ResidualStream<T> operator()(ResidualStream<T> x, const AttentionMask& mask,
                                 random::Generator* rng = nullptr, Array<T>* weights = nullptr,
                                 KeyValueCache<T>* own = nullptr) const;

    /// One word more of a sentence under a causal mask, as DecoderLayer::step.
    void step(DecodingWorkspace<T>& row, KeyValueCache<T>& own) const;

    /// All that is learnt and used, under PyTorch's names.
    nn::Parameters<T> parameters() const;
};

/// The weights of both attentions of a decoder's layer.
template <typename T>
struct DecoderWeights
{
    Array<T> self;   ///< [batch, H, n_target, n_target]; empty without that attention
    Array<T> source; ///< [batch, H, n_target, n_source]
};

/// A layer of the decoder: causal self-attention, attention to the source, dense layers. It
/// starts and throws as the encoder's does.
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

    DecoderLayer(const LayerOptions& options_, random::Generator& generator); ///< untrained

    /// Adds to the rows of a whole target what the layer makes of them.
    /// \param x          [batch, n_target, d]
    /// \param memory     the encoder's rows [batch, n_source, d]
    /// \param in_memory  which of them are words
    /// \param weights    if not null, receives those of both attentions
    ResidualStream<T> operator()(ResidualStream<T> x, const Variable<T>& memory,
                                 const AttentionMask& in_memory,
                                 random::Generator* rng = nullptr,
                                 DecoderWeights<T>* weights = nullptr) const;

    /// One word more of one sentence, with the keys and values of those before it: adds to its
    /// row what the layer makes of it.
    /// \param own        the words before it; receives its key and value
    /// \param of_source  the words of the source
    void step(DecodingWorkspace<T>& row, KeyValueCache<T>& own,
              const KeyValueCache<T>& of_source) const;

    /// All that is learnt and used, under PyTorch's names.
    nn::Parameters<T> parameters() const;
};

extern template struct EncoderLayer<float>;
extern template struct EncoderLayer<double>;
extern template struct DecoderLayer<float>;
extern template struct DecoderLayer<double>;

} // namespace attn::transformer
