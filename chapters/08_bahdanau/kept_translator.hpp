/// \file
/// \brief A trained translator in a file, with its vocabularies and its kind: --save and --load.
/// Deliberately all a translation needs, and nothing that a training would.
#pragma once

#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/text/normalise.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace attn::bahdanau {

/// A translator that knows words.
struct KeptTranslator
{
    std::string kind;                  ///< a short name of alignment_kinds()
    Sizes sizes;                       ///< of its parts
    text::Vocabulary source;           ///< of the language that it reads
    text::Vocabulary target;           ///< of the language that it writes
    text::Normalisation normalisation; ///< how a sentence becomes words
    std::size_t max_length;            ///< after so many steps a translation is cut off
    Translator<float> translator;      ///< trained
};

/// What the file of a translator says of it: its kind, its sizes, its vocabularies. A stopped
/// training that says the same can be taken up as a translator too.
/// \param kept  the translator
/// \returns     the settings
/// \throws BadInput if its sentences are too long to be kept
nn::Settings settings_of(const KeptTranslator& kept);

/// Writes a translator to a file (.safetensors), which PyTorch can read.
/// \param file  its folder must exist
/// \param kept  the translator
/// \throws BadInput if it cannot be written
void keep(const std::filesystem::path& file, const KeptTranslator& kept);

/// Reads a translator.
/// \param file  written by keep, or by a training that was given settings_of(it)
/// \returns     the translator, the same bits
/// \throws BadInput naming the file and what is missing or does not fit
KeptTranslator take_up(const std::filesystem::path& file);

/// The words of a sentence, if a translator can read them.
/// \param kept      a translator, trained or not
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \returns         the words
/// \throws BadInput if there are no words, naming those without a number, or if there are more
///         than the translator has positions for
text::Words words_to_read(const KeptTranslator& kept, std::string_view sentence);

/// A translation and what each of its words looked at.
struct Translation
{
    text::Words source;             ///< [n_source], as they were read
    text::Words target;             ///< [n_target]
    text::AttentionWeights weights; ///< [n_target][n_source]; zeros without attention
    double log_probability;         ///< of the translation, its end included
    bool finished;                  ///< whether it ends by itself, or was cut off
};

/// What a search found, in words.
/// \param source  the sentence, as it was read
/// \param found   for it
/// \param target  the vocabulary
/// \returns       the translation, without the weights of the step at its end
Translation in_words(text::Words source, const text::Hypothesis<seq2seq::WeightsOfStep>& found,
                     const text::Vocabulary& target);

/// Translates a sentence.
/// \param kept      a translator
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \returns         the most probable words one by one
/// \throws BadInput as words_to_read
Translation translate(const KeptTranslator& kept, std::string_view sentence);

} // namespace attn::bahdanau
