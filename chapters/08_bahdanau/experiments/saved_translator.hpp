/// \file
/// \brief A trained translator in a file, with its languages and its kind: --save and --load.
#pragma once

#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/translation/saving.hpp"

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

} // namespace attn::bahdanau
