/// \file
/// \brief What any saved translator has besides its parameters: settings that are read back with
/// care, its languages, and a reader's sentence that it translates.
#pragma once

#include "common/nn/checkpoint.hpp"
#include "common/storage/safetensors.hpp"
#include "common/text/alignment_error.hpp"
#include "common/text/normalise.hpp"
#include "common/text/vocabulary.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn::translation {

/// The longest sentence of a file that can be believed.
inline constexpr std::size_t most_words = 100'000;

/// What a translator knows of its languages.
struct Languages
{
    text::Vocabulary source;           ///< of the language that it reads
    text::Vocabulary target;           ///< of the language that it writes
    text::Normalisation normalisation; ///< how a sentence becomes words
    std::size_t max_length;            ///< after so many steps a translation is cut off
};

/// The settings in a file that --save has written. All functions throw BadInput naming the file and
/// the setting that is missing or does not fit.
class SavedSettings
{
public:
    /// \throws BadInput if the file cannot be read
    explicit SavedSettings(const std::filesystem::path& file);

    /// A setting as it is.
    std::string text(const std::string& name) const;
    /// A number, at least 1.
    /// \param at_most  the largest number that can be believed
    std::size_t count(const std::string& name, std::size_t at_most) const;
    /// One of some choices.
    std::string choice(const std::string& name, const std::vector<std::string>& choices) const;
    /// What settings_of(Languages) says.
    Languages languages() const;
    /// Demands a tensor of a shape.
    void expect_shape(const std::string& tensor, const Shape& shape) const;
    /// \throws BadInput naming the file, the setting, and why
    [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

private:
    std::string where(const std::string& name) const;

    std::filesystem::path file_;
    storage::TensorFile content_;
};

/// What the file of a translator says of its languages.
/// \param longest_source  words that it can read, if that is limited
/// \throws BadInput if its sentences are too long to be saved
nn::Settings settings_of(const Languages& languages, std::size_t longest_source = 1);

/// The words of a sentence, if all of them have a number.
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \throws BadInput if there are no words, or naming those without a number
text::Words words_to_read(const Languages& languages, std::string_view sentence);

/// A translation, and the source words that each of its words attended to.
struct Translation
{
    text::Words source;             ///< [n_source], as they were read
    text::Words target;             ///< [n_target]
    text::AttentionWeights weights; ///< [n_target][n_source]; zeros without attention
    double log_probability;         ///< of the translation, its end included
    bool finished;                  ///< whether it ends by itself, or was cut off
};

/// Translates a sentence, word by word the most probable one.
/// \throws BadInput as words_to_read
Translation translate(const TranslationModel& model, const Languages& languages,
                      std::string_view sentence);

} // namespace attn::translation
