/// \file
/// \brief What training, judging and intervening ask of a model that translates, however it is
/// made: chapter 12 puts a transformer where this chapter has a recurrent translator.
/// Deliberately functions, not a base class.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "common/nn/state.hpp"

#include <cstddef>
#include <functional>

namespace attn::seq2seq {

/// A model that translates: functions that call it, so that it must outlive them.
struct TranslationModel
{
    /// Nothing yet.
    TranslationModel() = default;
    /// A recurrent translator, as such a model.
    /// \param translator  must outlive the result
    TranslationModel(
        const Translator<float>& translator); // NOLINT(google-explicit-constructor)
    /// A translator that would be gone at once is refused.
    TranslationModel(const Translator<float>&& translator) = delete;

    nn::Parameters<float> parameters; ///< all that is learnt, shared with the model
    /// What a training makes small, of rank 0.
    std::function<Variable<float>(const text::Batch& batch)> loss;
    /// Looks source words up, without reading them yet: [batch, n_source, d].
    std::function<Variable<float>(const Sentences& sentences)> embed;
    /// Writes the batch's targets with teacher forcing, from source words that were looked up.
    std::function<Written<float>(const Variable<float>& embedded, const text::Batch& batch)>
        write_from;
    /// Searches for translations, as seq2seq::translate.
    std::function<Translations(const Sentences& sentences, std::size_t max_length,
                               const text::BeamOptions& beam)>
        translate;
    nn::State<float> state; ///< what a training changes beside the parameters

    /// Writes with teacher forcing.
    /// \param batch  sentences and their translations
    /// \returns      logits for every next word, and weights
    /// \throws ContractError naming a word that is none
    Written<float> write(const text::Batch& batch) const
    {
        return write_from(embed(sources_of(batch)), batch);
    }
};

} // namespace attn::seq2seq
