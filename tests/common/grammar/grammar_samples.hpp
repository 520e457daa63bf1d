/// \file
/// \brief Sentences of the grammar to look at, and what an English word is by itself. The
/// readings come from the tables of words alone, not from the rules that are under test.
#pragma once

#include "common/grammar/grammar.hpp"
#include "common/grammar/lexicon.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::testing {

/// From short and plain to long and nested.
inline constexpr double sample_richnesses[] = {0.1, 0.3, 0.5, 0.8, 1.0};

/// Sentences of every richness.
/// \returns [5 n_each] the same on every run
inline std::vector<text::SentencePair> grammar_sample(std::size_t n_each)
{
    std::vector<text::SentencePair> sample;
    std::uint64_t stream = 0;
    for (const double richness : sample_richnesses) {
        text::Grammar grammar(20260102, stream++, richness);
        for (std::size_t i = 0; i < n_each; ++i) {
            sample.push_back(grammar.sentence());
        }
    }
    return sample;
}

/// A pair as a message shows it.
inline std::string shown(const text::SentencePair& pair)
{
    return text::text_of(pair.source) + " | " + text::text_of(pair.target);
}

/// The first sentence that is not as it should be.
/// \returns both sentences of the first that does not; nothing if all do
template <typename Property>
std::string first_offender(const std::vector<text::SentencePair>& sample,
                           const Property& property)
{
    const auto found = std::find_if_not(sample.begin(), sample.end(), property);
    return found == sample.end() ? "" : shown(*found);
}

/// Whether every word of one side satisfies a property of a pair and a position.
/// \tparam side  &SentencePair::source or &SentencePair::target
template <auto side, typename Property>
auto at_every_word_of(const Property& property)
{
    return [property](const text::SentencePair& pair) {
        for (std::size_t position = 0; position < (pair.*side).size(); ++position) {
            if (!property(pair, position)) {
                return false;
            }
        }
        return true;
    };
}

/// What a target word is linked to.
/// \returns the numbers of the source words, ascending
inline std::vector<std::size_t> sources_of(const std::vector<text::Link>& links,
                                           std::size_t target)
{
    std::vector<std::size_t> sources;
    for (const text::Link& link : links) {
        if (link.target == target) {
            sources.push_back(link.source);
        }
    }
    return sources;
}

/// An English noun form.
struct NounReading
{
    const text::lexicon::Noun* noun; ///< its line in the table
    text::lexicon::Number number;    ///< which of its forms it is
};

/// Reads a word as a noun.
/// \returns nothing if it is none
inline std::optional<NounReading> noun_reading(std::string_view english)
{
    using Nouns = std::span<const text::lexicon::Noun>;
    for (const Nouns nouns : std::initializer_list<Nouns>{text::lexicon::living_nouns,
                                                          text::lexicon::thing_nouns}) {
        for (const text::lexicon::Noun& noun : nouns) {
            if (noun.english == english) {
                return NounReading{&noun, text::lexicon::Number::singular};
            }
            if (noun.english_plural == english) {
                return NounReading{&noun, text::lexicon::Number::plural};
            }
        }
    }
    return std::nullopt;
}

/// Reads a word as an adjective.
/// \returns its line in the tables, null if it is none
inline const text::lexicon::Adjective* adjective_reading(std::string_view english)
{
    using Adjectives = std::span<const text::lexicon::Adjective>;
    for (const Adjectives adjectives : std::initializer_list<Adjectives>{
             text::lexicon::prenominal_adjectives, text::lexicon::postnominal_adjectives}) {
        for (const text::lexicon::Adjective& adjective : adjectives) {
            if (adjective.english == english) {
                return &adjective;
            }
        }
    }
    return nullptr;
}

/// Whether a word can be a determiner ("her" can be a pronoun, too).
inline bool is_determiner(std::string_view english)
{
    return std::any_of(text::lexicon::determiners.begin(), text::lexicon::determiners.end(),
                       [&](const auto& determiner) { return determiner.english == english; });
}

/// Where the noun of a simple noun phrase stands: determiner, adjectives, noun.
/// \param start  where the determiner should stand
/// \returns      the noun's position, or nothing if there is no such phrase
inline std::optional<std::size_t> simple_noun_phrase(const text::Words& words,
                                                     std::size_t start)
{
    if (start >= words.size() || !is_determiner(words[start])) {
        return std::nullopt;
    }
    std::size_t position = start + 1;
    while (position < words.size() && adjective_reading(words[position]) != nullptr) {
        ++position;
    }
    const bool found = position < words.size() && noun_reading(words[position]).has_value();
    return found ? std::optional(position) : std::nullopt;
}

/// Where the simple noun phrase of a noun begins.
/// \returns the position of its determiner, or nothing if it has none
inline std::optional<std::size_t> start_of_noun_phrase(const text::Words& words,
                                                       std::size_t noun)
{
    std::size_t position = noun;
    while (position > 0 && adjective_reading(words[position - 1]) != nullptr) {
        --position;
    }
    const bool found = position > 0 && is_determiner(words[position - 1]);
    return found ? std::optional(position - 1) : std::nullopt;
}

} // namespace attn::testing
