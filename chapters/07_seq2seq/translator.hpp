/// \file
/// \brief A translator: an encoder, a way to a context and a decoder, trained together.
#pragma once

#include "chapters/07_seq2seq/decoder.hpp"
#include "common/text/batches.hpp"
#include "common/text/search.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace attn::seq2seq {

using translation::Translations;

/// How large a translator is, and what it is made of.
struct TranslatorOptions
{
    std::size_t n_source_words;   ///< special symbols included
    std::size_t n_target_words;   ///< special symbols included
    std::size_t d_embedding = 64; ///< numbers for a word of either language
    std::size_t hidden = 128;     ///< numbers in a state
    Unit unit = Unit::gru;        ///< what takes a step, in the encoder and in the decoder
    std::optional<DecoderArchitecture> architecture =
        {}; ///< of the decoder; usual_architecture() if not given
};

/// Encoded sentences, and how far the decoder has come with them.
template <typename T>
struct DecodingState
{
    Encoding<T> encoding;        ///< of the source sentences
    AttentionFunction<T> attend; ///< the context's source, made from the encoding
    DecoderState<T> state;       ///< the first one, or that after the last word
};

/// \f$ p(y_t \mid y_1 \dots y_{t-1}, x) \f$ for sentences x.
template <typename T>
class Translator
{
public:
    /// Starts as PyTorch does.
    /// \param context  made for states of options.hidden numbers
    /// \throws ContractError if a size is 0
    Translator(const TranslatorOptions& options, ContextFunction<T> context,
               random::Generator& generator);

    /// Encodes source sentences: where decoding begins. All functions throw ContractError naming a word
    /// that is none, or shapes that do not fit.
    DecodingState<T> encode(const Sentences& sentences) const;

    /// Embeds source words, without encoding them yet: [batch, n_steps, d_embedding].
    Variable<T> embed(const Sentences& sentences) const { return encoder_.embed(sentences); }

    /// Encodes embedded source words of sentences of some lengths [batch], each from 1 to n_steps.
    DecodingState<T> encode(const Variable<T>& embedded,
                            std::span<const std::size_t> lengths) const;

    /// Decodes with teacher forcing.
    DecoderOutput<T> decode(const text::Batch& batch) const;

    /// The same, of begin symbol and right words [batch, n_steps], row by row.
    DecoderOutput<T> decode(std::span<const std::int64_t> target_input,
                            const DecodingState<T>& begin) const;

    /// One more word after the last ones [batch].
    NextWord<T> step(std::span<const std::int64_t> words,
                     const DecodingState<T>& decoding) const;

    /// Some of the sentences that are being translated, each several times or not at all; what the
    /// context takes once a sentence is taken anew.
    DecodingState<T> select(const DecodingState<T>& decoding,
                            const std::vector<std::size_t>& rows) const;

    /// The mean over the words that count of \f$ -\log p(y_t) \f$, of rank 0.
    Variable<T> loss(const text::Batch& batch) const;

    /// "encoder.", "decoder." and "context." parameters.
    nn::Parameters<T> parameters() const;

    /// The way to a context.
    const ContextFunction<T>& context() const { return context_; }

private:
    Encoder<T> encoder_;
    ContextFunction<T> context_;
    Decoder<T> decoder_;
};

extern template class Translator<float>;
extern template class Translator<double>;

/// Searches for translations, without recording anything.
/// \param max_length  steps after which a translation is cut off, at least 1
/// \returns           [batch][1 to width], finished ones first, then by falling score
/// \throws ContractError as Translator::encode, or if a size is 0
template <typename T>
Translations translate(const Translator<T>& translator, const Sentences& sentences,
                       std::size_t max_length, const text::BeamOptions& beam = {.width = 1});

/// A translator as training, evaluation and interventions see it.
/// \returns  a model that shares the translator's parameters, and lives by itself
translation::TranslationModel model_of(const Translator<float>& translator);

} // namespace attn::seq2seq
