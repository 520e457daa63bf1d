/// \file
/// \brief The one translator that a reader asks for: trained or loaded, saved, and at work.
#pragma once

#include "chapters/08_bahdanau/experiments/comparison.hpp"
#include "common/program/run.hpp"
#include "common/translation/one_translator.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace attn::bahdanau {

using translation::Languages;
using translation::Translation;

/// A translator that knows words.
struct SavedTranslator
{
    std::string kind;             ///< a short name of alignment_kinds()
    TranslatorSizes sizes;        ///< of its parts
    Languages languages;          ///< that it translates
    Translator<float> translator; ///< trained
};

/// What the file of a translator says of it: its kind, its sizes, its languages. A stopped
/// training that says the same can be loaded as a translator too.
/// \throws BadInput if its sentences are too long to be saved
nn::Settings settings_of(const SavedTranslator& saved);

/// Reads a translator, the same bits.
/// \param file  written with settings_of(it), by a training or after it
/// \throws BadInput naming the file and what is missing or does not fit
SavedTranslator load(const std::filesystem::path& file);

/// The words of a sentence, if a translator can read them.
/// \throws BadInput if there are no words, naming those without a number, or if there are more
///         than the translator has positions for
text::Words words_to_read(const SavedTranslator& saved, std::string_view sentence);

/// Translates a sentence, word by word the most probable one.
/// \throws BadInput as words_to_read
Translation translate(const SavedTranslator& saved, std::string_view sentence);

/// What a reader wants of one translator, and of which kind it is to be.
struct Request : translation::TranslatorRequest
{
    std::string kind = "additive_before"; ///< a short name of alignment_kinds()
};

/// Trains one translator, evaluates it if a corpus is given, and saves it. What cannot be used is
/// found out before the training.
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the translator is saved as it is then
SavedTranslator train_translator(program::Frame& frame, const Request& request,
                                 const Trainings& trainings);

/// Translates a sentence and prints it, with the weights if there are any, and writes the explorer
/// if that is asked for.
/// \param request  with a sentence
/// \throws BadInput as words_to_read, or if the explorer has no weights to show
void show_translation(program::Frame& frame, const SavedTranslator& translator,
                      const Request& request);

} // namespace attn::bahdanau
