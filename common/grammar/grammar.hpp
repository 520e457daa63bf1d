/// \file
/// \brief A small grammar that says the same in English and French and knows which word comes
/// from which. Deliberately a toy: 161 English words, 267 French ones, sense only by accident;
/// but gender, number, negation and word order are those of the two languages, and every
/// English sentence has exactly one translation.
///
/// The rules, English before French, with their probabilities; r is the richness, and the depth
/// d, drawn from 0, 0, 1, 1, 2, bounds how phrases nest:
///
///     sentence     clause (conjunction clause)* .     another clause: .6 r, at most two
///     clause       subject verb-phrase | subject say that clause    d > 0: .24 r the latter
///     subject      pronoun .5 | noun phrase, living .75
///     noun phrase  determiner (adjective .22) (adjective .30) noun; singular .65; living .4
///                  where both would do
///                  possessor 's noun: le noun du possessor          d > 0: .28 r
///                  noun phrase and noun phrase                      living, d > 0: .16 r
///     d > 0, one   of noun-phrase .32 r | who verb-phrase .28 r | that subject verb .28 r
///     verb phrase  be adjective | be preposition noun-phrase        .22; of things always
///                  verb .22 | verb pronoun .24 | verb noun-phrase .34
///                  | verb to noun-phrase .10 | give noun-phrase to noun-phrase .10
///                  then preposition noun-phrase .36 r, or here, today, together .10
///     negation     not .20, never .08; adverb .12
///
/// Left out are "an" (so "a" stands before no vowel), what would need the French subjunctive
/// (nobody does not believe that ...), "some" behind "without", "near" and "of", "... and ..."
/// behind "near", "of" and "to", and "and" behind a clause that ends in "... and ...". The
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
