/// \file
/// \brief The bodies of kept_words.hpp.
#include "chapters/08_bahdanau/kept_words.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::bahdanau {

using program::BadInput;

KeptSettings::KeptSettings(const std::filesystem::path& file)
    : file_(file), settings_(storage::read_safetensors(file).metadata())
{
}

std::string KeptSettings::where(const std::string& name) const
{
    return fmt::format("{}, '{}'", program::in_quotes(file_.string(), program::longest_path),
                       name);
}

std::string KeptSettings::text(const std::string& name) const
{
    const auto found = settings_.find(name);
    if (found == settings_.end()) {
        throw BadInput(fmt::format("{} is missing: it was not written by --save of this "
                                   "program",
                                   where(name)));
    }
    return found->second;
}

std::size_t KeptSettings::count(const std::string& name, std::size_t at_most) const
{
    return static_cast<std::size_t>(program::parse_count(text(name), where(name), 1, at_most));
}

std::string KeptSettings::choice(const std::string& name,
                                 const std::vector<std::string>& choices) const
{
    return program::parse_choice(text(name), where(name), choices);
}

text::Vocabulary KeptSettings::vocabulary(const std::string& name) const
{
    return text::Vocabulary::from_text(text(name), where(name));
}

text::Normalisation KeptSettings::normalisation() const
{
    return choice("normalisation", {"gentle", "tutorial"}) == "tutorial"
               ? text::Normalisation::tutorial
               : text::Normalisation::gentle;
}

std::string name_of(text::Normalisation normalisation)
{
    return normalisation == text::Normalisation::tutorial ? "tutorial" : "gentle";
}

text::Words words_to_read(std::string_view sentence, text::Normalisation normalisation,
                          const text::Vocabulary& source)
{
    text::Words words = text::normalised_words(sentence, normalisation);
    if (words.empty()) {
        throw BadInput("--translate: there are no words in the sentence");
    }
    const text::Words unknown = source.unknown_words(words);
    if (!unknown.empty() && !source.has_unknown()) {
        throw BadInput(fmt::format("--translate: the sentences to learn from have no {}",
                                   fmt::join(unknown, ", ")));
    }
    return words;
}

} // namespace attn::bahdanau
