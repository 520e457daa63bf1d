/// \file
/// \brief One sentence being made, in both languages at once: every rule of the grammar puts
/// down its English words in their order and its French words in theirs, and notes which come
/// from which. Callers see Grammar (grammar.hpp).
#pragma once

#include "common/grammar/lexicon.hpp"
#include "common/grammar/morphology.hpp"
#include "common/random/random.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace attn::text {

/// An English word and the number that French words link to.
struct EnglishWord
{
    EnglishId id;          ///< distinct within a sentence
    std::string_view text; ///< the form
};

/// What verbs and adjectives agree with, and what they may be said of.
struct Agreement
{
    lexicon::Person person;       ///< of the verb
    lexicon::Gender gender;       ///< of adjectives
    lexicon::Number number;       ///< of adjectives
    lexicon::Kinds kinds;         ///< who or what it is; several bits if it is several
    EnglishId head;               ///< the noun or pronoun
    bool is_coordination = false; ///< whether it is "... and ..."
};

/// What a noun phrase may be at the place where it stands.
struct NounPhraseRules
{
    lexicon::Kinds kinds = lexicon::any_kind; ///< what its noun may stand for
    bool articles_a_some = true;              ///< whether "a" and "some" may begin it
    bool some = true;                         ///< whether "some" may
    bool post_modifiers = true;               ///< whether "of ..." or a relative may follow
    bool coordination = true;                 ///< whether it may be "... and ..."
};

/// The verb that has been put down: what others link to.
struct VerbGroup
{
    EnglishIds verb;                   ///< the English words of the verb itself: "look", "for"
    std::optional<EnglishId> negation; ///< "not" or "never", if there is one
};

/// One sentence being made. The rules call one another downwards only: a clause makes noun
/// phrases and a verb phrase, a noun phrase may hold a verb phrase in a relative clause, with
/// one less to spend of the depth that bounds them all.
class Derivation
{
public:
    /// Prepares a sentence.
    /// \param random  what decides; it must outlive this object
    Derivation(random::Generator& random, double richness);

    /// Makes the sentence; to be called once.
    SentencePair sentence();

private:
    // Every rule puts its words behind those that are there already.

    // Sentences and clauses: derivation.cpp.
    void add_clause(std::size_t depth);
    Agreement add_subject(std::size_t depth, bool living);
    Agreement add_pronoun();
    void add_conjunction();

    // Noun phrases: noun_phrases.cpp.
    struct Core;
    Agreement add_noun_phrase(std::size_t depth, const NounPhraseRules& rules);
    Agreement add_coordination(const NounPhraseRules& rules);
    Core draw_core(const NounPhraseRules& rules, bool living);
    const lexicon::Determiner& draw_determiner(const Core& core, const NounPhraseRules& rules);
    Agreement add_with_determiner(const Core& core, const NounPhraseRules& rules);
    Agreement add_with_possessor(const Core& core);
    void add_core(const Core& core, const EnglishWord& noun);
    void add_post_modifier(const Agreement& noun, std::size_t depth);
    void add_of_phrase(std::size_t depth);
    void add_subject_relative(const Agreement& noun, std::size_t depth);
    void add_object_relative(const Agreement& noun);

    // Verb phrases: verb_phrases.cpp.
    struct Modifiers;
    void add_verb_phrase(std::size_t depth, const Agreement& subject, bool in_relative);
    void add_be_phrase(std::size_t depth, const Agreement& subject);
    lexicon::Kinds add_verb_and_objects(std::size_t depth, const Agreement& subject);
    void add_object_pronoun_phrase(const Agreement& subject);
    void add_transitive_phrase(std::size_t depth, const Agreement& subject);
    void add_indirect_phrase(std::size_t depth, const Agreement& subject);
    void add_giving_phrase(std::size_t depth, const Agreement& subject);
    void add_direct_object(const VerbGroup& group, std::size_t depth,
                           const NounPhraseRules& rules);
    void add_prepositional_phrase(std::size_t depth, lexicon::Kinds kinds,
                                  bool with_for = true);
    void add_closing_adverb(const Agreement& subject, bool with_together);
    const lexicon::Verb& draw_transitive(lexicon::Kinds object);
    Modifiers draw_modifiers(bool negatable);
    void add_french_verb(const FrenchWord& verb, const Modifiers& modifiers,
                         const std::optional<FrenchWord>& clitic = std::nullopt);
    void add_be(const Agreement& subject);
    VerbGroup add_verb(const Agreement& subject, const lexicon::Verb& verb,
                       const lexicon::Clitic* clitic = nullptr, bool negatable = true);

    // What all of them draw with.
    bool chance(double probability) { return random_.uniform() < probability; }

    /// \tparam Table  an array of the lexicon, or a span of a part of one
    template <typename Table>
    const auto& choose(const Table& table)
    {
        return table[random_.below(table.size())];
    }

    /// Draws among the entries that satisfy a condition; one of them must.
    template <typename Table, typename Condition>
    const auto& choose_if(const Table& table, const Condition& allowed)
    {
        while (true) {
            const auto& entry = choose(table);
            if (allowed(entry)) {
                return entry;
            }
        }
    }

    /// A word that is yet to be put down, but can be linked to.
    EnglishWord new_word(std::string_view text) { return {n_words_++, text}; }

    /// Puts down an English word.
    EnglishId add_english(std::string_view text);

    /// Puts down a word that is one word in either language.
    EnglishId add_word(std::string_view english, std::string_view french);

    random::Generator& random_;
    double richness_;
    EnglishId n_words_ = 0;
    std::vector<EnglishWord> english_; // [n_source]
    std::vector<FrenchWord> french_;   // [n_target], not yet fitted together
    std::size_t coordination_end_ = 0; // how many French words there were behind "... et ..."
};

/// Whether something may be said of somebody or something.
constexpr bool fits(lexicon::Kinds allowed, lexicon::Kinds said_of)
{
    return (said_of & ~allowed) == 0;
}

} // namespace attn::text
