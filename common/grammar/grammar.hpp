/// \file
/// \brief A small grammar that says the same in English and French and knows which word comes
/// from which: 161 English words, 267 French ones, sense only by accident; but gender, number,
/// negation and word order are those of the two languages, and every English sentence has
/// exactly one translation. The rules and their probabilities are on the page \ref grammar. The
/// kinds of nouns (lexicon.hpp) keep sentences decent.
#pragma once

#include "common/random/random.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstdint>

namespace attn::text {

/// A source of random sentence pairs with the links that are true by construction. Sure links
/// join what translates what: noun and noun, both words of "look for" and "chercher", "not" and
/// both "ne" and "pas", "of" and "the" with "du". Possible links join what agrees or demands
/// without translating: a determiner or an adjective with its noun, a verb with its subject and
/// with "do", a pronoun with its verb, "de" with the negation that it stands under (after the
/// two grades of Och and Ney 2003, \cite och2003).
class Grammar
{
public:
    /// Starts the source.
    /// \param stream    which of the seed's independent streams of sentences
    /// \param richness  from 0 (short and plain) to 1 (long and nested)
    /// \throws ContractError if richness is outside [0, 1]
    Grammar(std::uint64_t seed, std::uint64_t stream, double richness);

    /// The next sentence.
    /// \returns  at least 3 words in either language, "." the last of both; every target word
    ///           has a sure link; links are sorted, and none is in both lists
    SentencePair sentence();

private:
    random::Generator random_;
    double richness_;
};

} // namespace attn::text
