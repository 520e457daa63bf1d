#include "common/translation/saving.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace attn::translation {

using program::BadInput;

SavedSettings::SavedSettings(const std::filesystem::path& file)
    : file_(file), content_(storage::read_safetensors(file))
{
}

std::string SavedSettings::where(const std::string& name) const
{
    return fmt::format("{}, '{}'", program::in_quotes(file_.string(), program::longest_path),
                       name);
}

std::string SavedSettings::text(const std::string& name) const
{
    const auto found = content_.metadata().find(name);
    if (found == content_.metadata().end()) {
        throw BadInput(fmt::format("{} is missing: it was not written by --save of this "
                                   "program",
                                   where(name)));
    }
    return found->second;
}

std::size_t SavedSettings::count(const std::string& name, std::size_t at_most) const
{
    return static_cast<std::size_t>(program::parse_count(text(name), where(name), 1, at_most));
}

std::string SavedSettings::choice(const std::string& name,
                                  const std::vector<std::string>& choices) const
{
    return program::parse_choice(text(name), where(name), choices);
}

Languages SavedSettings::languages() const
{
    const auto vocabulary = [this](const std::string& name) {
        return text::Vocabulary::from_text(text(name), where(name));
    };
    return {vocabulary("source words"), vocabulary("target words"),
            choice("normalisation", {"gentle", "tutorial"}) == "tutorial"
                ? text::Normalisation::tutorial
                : text::Normalisation::gentle,
            count("longest translation", most_words)};
}

void SavedSettings::expect_shape(const std::string& tensor, const Shape& shape) const
{
    const Shape& found = content_.at(tensor).shape;
    if (found != shape) {
        refuse(tensor,
               fmt::format("the shape is {}, by the file's own settings {}", found, shape));
    }
}

void SavedSettings::refuse(const std::string& name, const std::string& why) const
{
    throw BadInput(where(name) + ": " + why);
}

nn::Settings settings_of(const Languages& languages, std::size_t longest_source)
{
    if (std::max(languages.max_length, longest_source) > most_words) {
        throw BadInput(fmt::format("sentences of {} words are too long to be learnt from, the "
                                   "limit is {}",
                                   std::max(languages.max_length, longest_source), most_words));
    }
    const bool tutorial = languages.normalisation == text::Normalisation::tutorial;
    return {{"source words", languages.source.to_text()},
            {"target words", languages.target.to_text()},
            {"normalisation", tutorial ? "tutorial" : "gentle"},
            {"longest translation", std::to_string(languages.max_length)}};
}

text::Words words_to_read(const Languages& languages, std::string_view sentence)
{
    text::Words words = text::normalised_words(sentence, languages.normalisation);
    if (words.empty()) {
        throw BadInput("--translate: there are no words in the sentence");
    }
    const text::Words unknown = languages.source.unknown_words(words);
    if (!unknown.empty() && !languages.source.has_unknown()) {
        throw BadInput(fmt::format("--translate: the sentences to learn from have no {}",
                                   fmt::join(unknown, ", ")));
    }
    return words;
}

Translation translate(const TranslationModel& model, const Languages& languages,
                      std::string_view sentence)
{
    text::Words source = words_to_read(languages, sentence);
    const std::vector<text::WordId> ids = languages.source.encode(source);
    const std::vector<std::size_t> lengths = {ids.size()};
    const text::Hypothesis<> found =
        model.translate({ids, lengths, ids.size()}, languages.max_length, {.width = 1})[0][0];
    const text::NumberedPair pair{ids, {found.words.begin(), found.words.end()}};
    Translation translation{std::move(source),
                            languages.target.decode(pair.target),
                            {},
                            found.log_probability,
                            found.finished};

    // The weights of the steps that wrote these words, all at once.
    const autograd::NoGradient<float> forwards;
    const auto written = model.write(text::batch_of({&pair, 1}, std::vector<std::size_t>{0}));
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const float* const row = written.weights[t].value().data();
        translation.weights.emplace_back(row, row + ids.size());
    }
    return translation;
}

} // namespace attn::translation
