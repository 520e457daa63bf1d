/// \file
/// \brief The transformer, whole: words and places go in, layers of the encoder and of the
/// decoder follow, and scores for every next word come out. Deliberately without a search and
/// without files.
#pragma once

#include "chapters/07_seq2seq/encoder.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "chapters/12_transformer/layers.hpp"
#include "common/text/batches.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::transformer {

using multi_head::Positions;
using seq2seq::Sentences;

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

/// Source sentences after the encoder.
/// \tparam T  float or double
template <typename T>
struct Memory
{
    Variable<T> rows; ///< [batch, n_source, d]
    Visible visible;  ///< which of them are words
};

/// What every attention of the transformer looked at.
/// \tparam T  float or double
template <typename T>
struct AllWeights
{
    std::vector<Array<T>> encoder;          ///< [n_encoder_layers], each [batch, H, n, n]
    std::vector<DecoderWeights<T>> decoder; ///< [n_decoder_layers]
};

/// \f$ p(y_t \mid y_1 \dots y_{t-1}, x) \f$ for sentences x.
/// \tparam T  float or double
template <typename T>
class Transformer
{
public:
    /// Embeddings start normal with variance 1/d, and are multiplied with the root of d when
    /// they are looked up (\cite vaswani2017, section 3.4); the rest as in PyTorch.
    /// \param options    sizes at least 1
    /// \param generator  advanced
    /// \throws ContractError if a size is 0, d is odd, or the kind of positions is neither none
    ///         nor sinusoidal
    Transformer(const TransformerOptions& options, random::Generator& generator);

    /// Looks source words up, without their places.
    /// \param sentences  of words below n_source_words
    /// \returns          [batch, n_source, d]
    /// \throws ContractError naming a word that is none, or shapes that do not fit
    Variable<T> embed(const Sentences& sentences) const;

    /// Reads source words that have been looked up.
    /// \param embedded  [batch, n_source, d]
    /// \param lengths   [batch], each at most n_source
    /// \param dropping  null: nothing is dropped
    /// \param weights   if not null, receives the encoder's
    /// \returns         the encoder's rows
    /// \throws ContractError naming shapes that do not fit
    Memory<T> read(const Variable<T>& embedded, std::span<const std::size_t> lengths,
                   Dropping dropping = nullptr, AllWeights<T>* weights = nullptr) const;

    /// Writes with teacher forcing: every row foretells the word that comes next.
    /// \param words     begin symbol and right words [batch, n_target], row by row
    /// \param memory    of as many sentences
    /// \param dropping  null: nothing is dropped
    /// \param weights   if not null, receives the decoder's
    /// \returns         rows of the last layer [batch, n_target, d], for scores()
    /// \throws ContractError for a word that is none, or shapes that do not fit
    Variable<T> write(std::span<const std::int64_t> words, const Memory<T>& memory,
                      Dropping dropping = nullptr, AllWeights<T>* weights = nullptr) const;

    /// The scores of all words of the target language.
    /// \param rows  of the last layer [..., d]
    /// \returns     [..., n_target_words]
    Variable<T> scores(const Variable<T>& rows) const { return output_(rows); }

    /// \param batch     sentences and their translations
    /// \param dropping  null: nothing is dropped
    /// \returns         the mean over the words that count of the smoothed \f$ -\log p(y_t)
    ///                  \f$, of rank 0
    Variable<T> loss(const text::Batch& batch, Dropping dropping = nullptr) const;

    /// Keys and values of the source, once a sentence, and room for those of the words to come.
    /// \param memory  of sentences
    /// \param room    for so many words at first, at least 1
    /// \returns       [n_decoder_layers]
    std::vector<LayerCache<T>> caches(const Memory<T>& memory, std::size_t room = 16) const;

    /// Writes one word, with the keys and values of those before it.
    /// \param words      the last ones [batch]
    /// \param n_written  how many came before them
    /// \param caches     of each layer; grow by one word
    /// \param in_memory  which rows of the source are words
    /// \param weights    if not null, receives the decoder's
    /// \returns          scores of the next word [batch, n_target_words]
    /// \throws ContractError for a word that is none, or caches of other layers or sentences, or
    ///         of fewer words than were written
    Variable<T> step(std::span<const std::int64_t> words, std::size_t n_written,
                     std::vector<LayerCache<T>>& caches, const Visible& in_memory,
                     AllWeights<T>* weights = nullptr) const;

    /// Doubles the room of caches that are full.
    /// \param n_written  words in them
    /// \param caches     of each layer
    static void make_room(std::size_t n_written, std::vector<LayerCache<T>>& caches);

    /// Puts another kernel into every attention.
    /// \param attend  computes the same
    void use_kernel(const Attend<T>& attend);

    /// Looks words up in either table, without their places: their rows times the root of d.
    /// \param table  source_words() or target_words()
    /// \param words  [batch, n], row by row
    /// \param batch  how many sentences these are
    /// \returns      [batch, n, d]
    /// \throws ContractError for a word that is none, or no whole rows
    Variable<T> look_up(const nn::Embedding<T>& table, std::span<const std::int64_t> words,
                        std::size_t batch) const;

    /// Adds to rows what tells their places, if the transformer has positions.
    /// \param rows   [batch, n, d]
    /// \param first  the place of the first of them
    /// \returns      [batch, n, d]
    Variable<T> with_places(const Variable<T>& rows, std::size_t first) const;

    /// \returns all that is learnt
    nn::Parameters<T> parameters() const;
    /// \returns as given
    const TransformerOptions& options() const { return options_; }

    // What it is made of, for whoever runs the same parameters in another way.
    /// \returns the rows of the source's words
    const nn::Embedding<T>& source_words() const { return source_; }
    /// \returns the rows of the target's words
    const nn::Embedding<T>& target_words() const { return target_; }
    /// \returns the layers that read
    const std::vector<EncoderLayer<T>>& encoder() const { return encoder_; }
    /// \returns the layers that write
    const std::vector<DecoderLayer<T>>& decoder() const { return decoder_; }
    /// \returns the norm behind the last layer that reads, in use with pre-norm only
    const nn::LayerNorm<T>& encoder_norm() const { return encoder_norm_; }
    /// \returns the norm behind the last layer that writes, in use with pre-norm only
    const nn::LayerNorm<T>& decoder_norm() const { return decoder_norm_; }
    /// \returns what makes scores of the decoder's rows
    const nn::Linear<T>& output() const { return output_; }

private:
    Variable<T> after_layers(const nn::LayerNorm<T>& norm, const Variable<T>& rows) const;

    TransformerOptions options_;
    nn::Embedding<T> source_;
    nn::Embedding<T> target_;
    std::vector<EncoderLayer<T>> encoder_;
    std::vector<DecoderLayer<T>> decoder_;
    nn::LayerNorm<T> encoder_norm_; // pre-norm only
    nn::LayerNorm<T> decoder_norm_; // pre-norm only
    nn::Linear<T> output_;
    Array<T> places_; // [512, d], the sinusoids of the first places
};

extern template class Transformer<float>;
extern template class Transformer<double>;

} // namespace attn::transformer
