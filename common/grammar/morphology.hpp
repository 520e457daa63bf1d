/// \file
/// \brief What a French word's neighbour does to it: elision (l'hôtel), forms before a vowel
/// (cet ami, vieil ami) and contraction (du, des, au, aux). Words come here in the form that
/// gender, number and person demand.
#pragma once

#include "common/grammar/lexicon.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::text {

/// The number of an English word, from 0 in the order in which the words were thought of, which
/// is not the order in which they stand.
using EnglishId = std::uint32_t;

/// A few English words.
using EnglishIds = std::vector<EnglishId>;

/// A French word on its way into a sentence, with the English words that it comes from.
struct FrenchWord
{
    std::string_view text;    ///< the form; what it views must outlive the word
    EnglishIds sure;          ///< the English words that it translates
    EnglishIds possible = {}; ///< those that it agrees with or that demand it
    lexicon::Article article = lexicon::Article::none; ///< tells the article from the clitic
    std::string_view before_vowel = {}; ///< an adjective's own form before a vowel, if any
};

/// Whether a French word begins with a vowel or with an h, which is mute in all our words.
/// \param word  UTF-8, lower case
bool begins_with_vowel(std::string_view word);

/// Gives every word the form that the word behind it demands, from the last to the first:
/// le, la, de, ne, que, je, me lose their vowel before another (si only before il and ils);
/// ce, ma, sa and some adjectives have forms of their own there; and de and à merge with the
/// articles le and les, unless the article is elided already. A merged word comes from all
/// that its parts came from.
/// \returns the same, shorter by one word for every contraction
std::vector<FrenchWord> fit_together(std::vector<FrenchWord> words);

} // namespace attn::text
