/// \file
/// \brief The transformer, whole: words and positions go in, layers of the encoder and of the
/// decoder follow, and scores for every next word come out.
#pragma once

#include "chapters/11_multi_head/positions.hpp"
#include "chapters/12_transformer/layers.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attn::transformer {

using multi_head::Attend;
using multi_head::Positions;
using translation::Sentences;

/// How large a transformer is, and what it is made of.
struct TransformerOptions
{
    std::size_t n_source_words;                  ///< special symbols included
    std::size_t n_target_words;                  ///< special symbols included
    std::size_t n_encoder_layers = 1;            ///< at least 1
    std::size_t n_decoder_layers = 1;            ///< at least 1
    LayerOptions layer = {};                     ///< of each of them
    Positions positions = Positions::sinusoidal; ///< sinusoidal or none
    double label_smoothing = 0.1;                ///< of the loss
};

/// How a transformer computes what it is made of. The results are the same, up to rounding with
/// another attention, bit for bit with fused rows and without.
template <typename T>
struct Computation
{
    Attend<T> attend = multi_head::attend_in_one_step<T>; ///< between all projections
    bool fused_rows = true; ///< whether a sum and its norm, a product and its ReLU, are one
};

/// Source sentences after the encoder.
template <typename T>
struct Memory
{
    Variable<T> rows;   ///< [batch, n_source, d]
    AttentionMask mask; ///< which of them are words
};

/// The weights of every attention of the transformer.
template <typename T>
struct AllWeights
{
    std::vector<Array<T>> encoder;          ///< [n_encoder_layers], each [batch, H, n, n]
    std::vector<DecoderWeights<T>> decoder; ///< [n_decoder_layers]
};

/// A sentence that is being translated: what its next word attends to. A copy goes its own way.
template <typename T>
struct DecodingState
{
    std::shared_ptr<const std::vector<KeyValueCache<T>>>
        of_source; ///< [n_decoder_layers], the words of the source, shared by all copies
    std::vector<KeyValueCache<T>> own; ///< [n_decoder_layers], the words so far
    std::size_t n_words = 0;           ///< how many these are
};

/// \f$ p(y_t \mid y_1 \dots y_{t-1}, x) \f$ for sentences x. Functions that read words throw
/// ContractError for a word that is none, or shapes that do not fit.
template <typename T>
class Transformer
{
public:
    /// Embeddings start normal with variance 1/d, and are multiplied with the root of d when
    /// they are looked up (\cite vaswani2017, section 3.4); the rest as in PyTorch.
    /// \throws ContractError if a size is 0, d is odd, or the kind of positions is neither none
    ///         nor sinusoidal
    Transformer(const TransformerOptions& options, random::Generator& generator);

    /// Embeds source words, without their positions: [batch, n_source, d].
    Variable<T> embed(const Sentences& sentences) const;

    /// Encodes embedded source words.
    /// \param lengths   [batch], each at most n_source
    /// \param weights   if not null, receives those of its attentions, here and in decode
    Memory<T> encode(const Variable<T>& embedded, std::span<const std::size_t> lengths,
                     random::Generator* rng = nullptr, AllWeights<T>* weights = nullptr) const;

    /// Decodes with teacher forcing: every row predicts the word that comes next.
    /// \param words  begin symbol and right words [batch, n_target], row by row
    /// \returns      rows of the last layer [batch, n_target, d], for logits()
    Variable<T> decode(std::span<const std::int64_t> words, const Memory<T>& memory,
                       random::Generator* rng = nullptr,
                       AllWeights<T>* weights = nullptr) const;

    /// The scores of all words of the target language [..., n_target_words], from such rows.
    Variable<T> logits(const Variable<T>& rows) const { return output_(rows); }

    /// The mean over the words that count of the smoothed \f$ -\log p(y_t) \f$, of rank 0.
    Variable<T> loss(const text::Batch& batch, random::Generator* rng = nullptr) const;

    /// Begins incremental decoding: keys and values of the source, once a sentence [batch].
    std::vector<DecodingState<T>> begin(const Memory<T>& memory) const;

    /// Decodes one word more [batch], with the keys and values of those before; the states
    /// grow; several sentences at a time if kernels::execution() has several threads.
    /// \returns  scores of the next word [batch, n_target_words]
    /// \throws ContractError for states of other layers or sentences
    Array<T> step(std::span<const std::int64_t> words,
                  std::vector<DecodingState<T>>& states) const;

    /// From now on it computes in another way; copies made before do not.
    void set_computation(const Computation<T>& computation);

    /// All that is learnt.
    nn::Parameters<T> parameters() const;
    const TransformerOptions& options() const { return options_; } ///< as given

private:
    Variable<T> look_up(const nn::Embedding<T>& table, std::span<const std::int64_t> words,
                        std::size_t batch) const;
    Variable<T> with_positions(const Variable<T>& rows) const;
    ResidualStream<T> first_rows(const Variable<T>& embedded, random::Generator* rng) const;
    Variable<T> last_rows(const nn::LayerNorm<T>& norm, ResidualStream<T>& rows) const;
    void begin_row(std::int64_t word, std::size_t position, T* x) const;

    TransformerOptions options_;
    nn::Embedding<T> source_;
    nn::Embedding<T> target_;
    std::vector<EncoderLayer<T>> encoder_;
    std::vector<DecoderLayer<T>> decoder_;
    nn::LayerNorm<T> encoder_norm_; // pre-norm only
    nn::LayerNorm<T> decoder_norm_; // pre-norm only
    nn::Linear<T> output_;
    Array<T> positions_; // [512, d], the sinusoids of the first positions
    bool fused_rows_ = Computation<T>().fused_rows;
};

extern template class Transformer<float>;
extern template class Transformer<double>;

/// A transformer, untrained; the same seed gives equal matrices the same numbers.
Transformer<float> make_transformer(const TransformerOptions& options, std::uint64_t seed);

} // namespace attn::transformer
