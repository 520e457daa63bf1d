/// \file
/// \brief What any kept translator has besides its parameters: settings that are read back with
/// care, vocabularies, and a reader's sentence. Deliberately without a model, so that chapter
/// 12 keeps its own in the same way.
#pragma once

#include "common/text/normalise.hpp"
#include "common/text/vocabulary.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bahdanau {

/// The settings in a file that --save has written.
class KeptSettings
{
public:
    /// \param file  to read
    /// \throws BadInput if it cannot be read
    explicit KeptSettings(const std::filesystem::path& file);

    /// \param name  of a setting
    /// \returns     its text
    /// \throws BadInput naming the file and the setting if it is missing
    std::string text(const std::string& name) const;

    /// \param name     of a setting
    /// \param at_most  the largest number that can be believed
    /// \returns        its number, at least 1
    /// \throws BadInput naming the file and the setting
    std::size_t count(const std::string& name, std::size_t at_most) const;

    /// \param name     of a setting
    /// \param choices  what it may be
    /// \returns        one of them
    /// \throws BadInput naming the file and the setting
    std::string choice(const std::string& name, const std::vector<std::string>& choices) const;

    /// \param name  of a setting
    /// \returns     its words
    /// \throws BadInput naming the file and the setting
    text::Vocabulary vocabulary(const std::string& name) const;

    /// \returns the setting "normalisation"
    /// \throws BadInput naming the file and the setting
    text::Normalisation normalisation() const;

private:
    std::string where(const std::string& name) const;

    std::filesystem::path file_;
    std::map<std::string, std::string> settings_;
};

/// \param normalisation  any
/// \returns              what KeptSettings::normalisation understands
std::string name_of(text::Normalisation normalisation);

/// The words of a sentence, if all of them have a number.
/// \param sentence       UTF-8, any spelling that the normalisation understands
/// \param normalisation  how it becomes words
/// \param source         the vocabulary
/// \returns              the words
/// \throws BadInput if there are no words, or naming those without a number
text::Words words_to_read(std::string_view sentence, text::Normalisation normalisation,
                          const text::Vocabulary& source);

} // namespace attn::bahdanau
