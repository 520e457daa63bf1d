/// \file
/// \brief What training, evaluation and interventions ask of a model that translates, however it is
/// made: chapter 7's and 8's recurrent translators, chapter 12's transformer.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/nn/state.hpp"
#include "common/tensor/check.hpp"
#include "common/text/batches.hpp"
#include "common/text/search.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// What chapters that translate have in common.
namespace attn::translation {

using autograd::Variable;

/// Sentences of one batch, as numbers of words.
struct Sentences
{
    std::span<const std::int64_t>
        words; ///< [batch, n_steps], row by row; anything after the end
    std::span<const std::size_t> lengths; ///< [batch], each from 1 to n_steps
    std::size_t n_steps;                  ///< words in the longest one

    /// How many sentences there are.
    std::size_t batch() const { return lengths.size(); }
};

/// The source sentences of a batch, which must outlive the result.
inline Sentences sources_of(const text::Batch& batch)
{
    return {batch.source, batch.source_lengths, batch.n_source};
}

/// Numbers of words that lie sentence by sentence, step by step: the first word of every
/// sentence, the second of every sentence.
/// \param words  [batch, n_steps], row by row
/// \param batch  how many sentences, at least 1
/// \returns      [n_steps, batch], row by row
/// \throws ContractError if the words are no whole number of rows
inline std::vector<std::int64_t> by_step(std::span<const std::int64_t> words, std::size_t batch)
{
    expect(batch >= 1 && words.size() % batch == 0,
           "by_step: {} words are no whole number of rows for {} sentences", words.size(),
           batch);
    const std::size_t n_steps = words.size() / batch;
    std::vector<std::int64_t> transposed(words.size());
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < n_steps; ++t) {
            transposed[t * batch + b] = words[b * n_steps + t];
        }
    }
    return transposed;
}

/// What decoding under teacher forcing gives.
template <typename T>
struct DecoderOutput
{
    Variable<T> logits;               ///< [n_steps * batch, n_words]: step by step, by_step
    std::vector<Variable<T>> weights; ///< [n_steps], each [batch, n_source]
};

/// Translations that a search has found: [batch][1 to the beam's width].
using Translations = std::vector<std::vector<text::Hypothesis>>;

/// A model that translates: functions that call it, and own what they call.
struct TranslationModel
{
    nn::Parameters<float> parameters; ///< all that is learnt, shared with the model
    /// What a training makes small, of rank 0.
    std::function<Variable<float>(const text::Batch& batch)> loss;
    /// Embeds source words, without encoding them yet: [batch, n_source, d].
    std::function<Variable<float>(const Sentences& sentences)> embed;
    /// Decodes the batch's targets with teacher forcing, from embedded source words.
    std::function<DecoderOutput<float>(const Variable<float>& embedded,
                                       const text::Batch& batch)>
        decode_from;
    /// Searches for translations.
    std::function<Translations(const Sentences& sentences, std::size_t max_length,
                               const text::BeamOptions& beam)>
        translate;
    nn::State<float> state; ///< what a training changes beside the parameters

    /// Decodes with teacher forcing: logits for every next word, and weights.
    /// \throws ContractError naming a word that is none
    DecoderOutput<float> decode(const text::Batch& batch) const
    {
        return decode_from(embed(sources_of(batch)), batch);
    }
};

} // namespace attn::translation
