/// \file
/// \brief How the French words of the grammar can be read: as which kind of word, of which gender,
/// number and person. What agrees with what is decided by these.
#pragma once

#include "common/grammar/lexicon.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace attn::text {

/// What kind of word a word is.
enum class Category
{
    determiner, ///< le, mon, ces, and du, des, au, aux, which hold an article
    noun,       ///< voiture
    adjective,  ///< rouge
    verb,       ///< est
    pronoun,    ///< il, and le before a verb
    other       ///< all that does not agree
};

/// One way to read a word. What it leaves open goes with everything.
struct Reading
{
    Category category;                            ///< the kind of word
    std::optional<lexicon::Gender> gender = {};   ///< none: of a verb
    std::optional<lexicon::Number> number = {};   ///< of a verb: its subject's
    std::optional<lexicon::Person> person = {};   ///< of verbs and pronouns alone
};

/// Every way to read a word.
/// \returns  none if it is no word of the grammar, or one that does not agree
const std::vector<Reading>& readings_of(std::string_view word);

/// Whether a word can be read as a kind of word.
bool can_be(std::string_view word, Category category);

/// Whether two readings have no different gender, number or person.
bool agree(const Reading& a, const Reading& b);

/// Whether two words have readings of such kinds that agree: "la" as a determiner and "voiture"
/// as a noun.
bool agree(std::string_view a, Category category_of_a, std::string_view b,
           Category category_of_b);

/// The kind of a word in its sentence. Of le, la, les and l', which can be two kinds, those
/// before a verb are pronouns.
/// \param i  which word, below the sentence's length
Category category_at(const Words& sentence, std::size_t i);

} // namespace attn::text
