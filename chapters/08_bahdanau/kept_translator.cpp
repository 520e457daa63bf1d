/// \file
/// \brief The bodies of kept_translator.hpp.
#include "chapters/08_bahdanau/kept_translator.hpp"

#include "chapters/08_bahdanau/kept_words.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/number.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::bahdanau {

using program::BadInput;

namespace {

/// The longest source that a kind with keys of positions has a place for; 1 for all others.
std::size_t n_positions_of(const Translator<float>& translator)
{
    for (const nn::NamedParameter<float>& one : translator.context().parameters) {
        if (one.name == "positions.weight") {
            return one.variable.shape()[1];
        }
    }
    return 1;
}

// Of a file that can be believed.
constexpr std::size_t most_positions = 100'000;
constexpr std::size_t most_numbers = 4096;

} // namespace

nn::Settings settings_of(const KeptTranslator& kept)
{
    if (std::max(kept.max_length, n_positions_of(kept.translator)) > most_positions) {
        throw BadInput(fmt::format("sentences of {} words are too long to be learnt from, the "
                                   "limit is {}",
                                   kept.max_length, most_positions));
    }
    return {{"kind", kept.kind},
            {"embedding", std::to_string(kept.sizes.d_embedding)},
            {"hidden", std::to_string(kept.sizes.hidden)},
            {"source words", kept.source.to_text()},
            {"target words", kept.target.to_text()},
            {"normalisation", name_of(kept.normalisation)},
            {"longest translation", std::to_string(kept.max_length)},
            {"positions", std::to_string(n_positions_of(kept.translator))}};
}

void keep(const std::filesystem::path& file, const KeptTranslator& kept)
{
    nn::save_model(file, kept.translator.parameters(), settings_of(kept));
}

KeptTranslator take_up(const std::filesystem::path& file)
{
    const KeptSettings settings(file);
    std::vector<std::string> names;
    for (const AlignmentKind& kind : alignment_kinds()) {
        names.push_back(kind.short_name);
    }
    const AlignmentKind& kind = kind_named(settings.choice("kind", names));
    text::Vocabulary source = settings.vocabulary("source words");
    text::Vocabulary target = settings.vocabulary("target words");
    const text::Normalisation normalisation = settings.normalisation();
    const Sizes sizes = {settings.count("embedding", most_numbers),
                         settings.count("hidden", most_numbers)};
    if (sizes.hidden % 2 != 0) {
        throw BadInput(fmt::format(
            "{}, 'hidden': two directions share the numbers, so {} must be even",
            program::in_quotes(file.string(), program::longest_path), sizes.hidden));
    }
    random::Generator generator(1);
    Translator<float> translator =
        make_translator(kind, sizes, source.size(), target.size(),
                        settings.count("positions", most_positions), generator);
    nn::Parameters<float> parameters = translator.parameters();
    nn::load_model(file, parameters);
    return {kind.short_name,      sizes,
            std::move(source),    std::move(target),
            normalisation,        settings.count("longest translation", most_positions),
            std::move(translator)};
}

text::Words words_to_read(const KeptTranslator& kept, std::string_view sentence)
{
    text::Words words = words_to_read(sentence, kept.normalisation, kept.source);
    const std::size_t n_positions = n_positions_of(kept.translator);
    if (n_positions > 1 && words.size() > n_positions) {
        throw BadInput(fmt::format("--translate: {} words are more than the {} positions that "
                                   "the translator knows",
                                   words.size(), n_positions));
    }
    return words;
}

Translation in_words(text::Words source, const text::Hypothesis<seq2seq::WeightsOfStep>& found,
                     const text::Vocabulary& target)
{
    const std::vector<text::WordId> words(found.words.begin(), found.words.end());
    const auto end = found.extras.begin() + static_cast<std::ptrdiff_t>(words.size());
    return {std::move(source),
            target.decode(words),
            {found.extras.begin(), end},
            found.log_probability,
            found.finished};
}

Translation translate(const KeptTranslator& kept, std::string_view sentence)
{
    text::Words source = words_to_read(kept, sentence);
    const std::vector<text::WordId> ids = kept.source.encode(source);
    const std::vector<std::size_t> lengths = {ids.size()};
    const auto found =
        seq2seq::translate(kept.translator, {ids, lengths, ids.size()}, kept.max_length)[0][0];
    return in_words(std::move(source), found, kept.target);
}

} // namespace attn::bahdanau
