/// \file
/// \brief The noun phrases of the grammar: determiners, adjectives on either side of the noun,
/// possessors, coordination, and what follows a noun.
#include "common/grammar/derivation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace attn::text {

namespace {

using lexicon::Adjective;
using lexicon::Article;
using lexicon::Determiner;
using lexicon::Gender;
using lexicon::Kinds;
using lexicon::Noun;
using lexicon::Number;
using lexicon::Person;

constexpr Person third_person(Number number)
{
    return number == Number::singular ? Person::third_singular : Person::third_plural;
}

/// Whether English would write "an" before a word: it is no word of ours, so "a" is not drawn.
bool takes_an(std::string_view english)
{
    constexpr std::string_view vowels = "aeiou";
    return vowels.find(english[0]) != std::string_view::npos;
}

} // namespace

/// A noun with its adjectives, drawn before any word is put down.
struct Derivation::Core
{
    const Noun* noun;                       ///< its line in the table
    Number number;                          ///< which of its forms
    const Adjective* prenominal = nullptr;  ///< what French puts before it, none if null
    const Adjective* postnominal = nullptr; ///< what French puts behind it, none if null

    /// \returns whether it is one
    bool singular() const { return number == Number::singular; }

    /// \returns the English form
    std::string_view english_noun() const
    {
        return singular() ? noun->english : noun->english_plural;
    }

    /// \returns the French form
    std::string_view french_noun() const
    {
        return singular() ? noun->french : noun->french_plural;
    }

    /// \returns the English word behind the determiner
    std::string_view first_english_word() const
    {
        const Adjective* first = prenominal != nullptr ? prenominal : postnominal;
        return first != nullptr ? first->english : english_noun();
    }

    /// The form that agrees with the noun.
    /// \returns empty if there is none
    std::string_view form(const lexicon::AgreeingForms& forms) const
    {
        return forms.form(noun->gender, number);
    }

    /// How others agree with the noun.
    /// \param head  the noun's number in the sentence
    Agreement agreement(EnglishId head) const
    {
        return {third_person(number), noun->gender, number, noun->kind, head};
    }
};

Derivation::Core Derivation::draw_core(const NounPhraseRules& rules, bool living)
{
    const auto noun_allowed = [&](const Noun& noun) { return fits(rules.kinds, noun.kind); };
    const Noun& noun =
        choose_if(living ? std::span<const Noun>(lexicon::living_nouns) : lexicon::thing_nouns,
                  noun_allowed);
    const auto adjective_allowed = [&](const Adjective& a) { return fits(a.kinds, noun.kind); };
    Core core{&noun, chance(0.65) ? Number::singular : Number::plural};
    if (chance(0.22)) {
        core.prenominal = &choose_if(lexicon::prenominal_adjectives, adjective_allowed);
    }
    if (chance(0.30)) {
        core.postnominal = &choose_if(lexicon::postnominal_adjectives, adjective_allowed);
    }
    return core;
}

const Determiner& Derivation::draw_determiner(const Core& core, const NounPhraseRules& rules)
{
    const auto weight = [&](const Determiner& determiner) -> std::uint64_t {
        const bool excluded =
            core.form(determiner.french).empty() ||
            (determiner.article == Article::indefinite && !rules.articles_a_some) ||
            (determiner.english == "some" && !rules.some) ||
            (determiner.english == "a" && takes_an(core.first_english_word()));
        return excluded ? 0 : determiner.weight;
    };
    std::uint64_t total = 0;
    for (const Determiner& determiner : lexicon::determiners) {
        total += weight(determiner);
    }
    std::uint64_t left = random_.below(total);
    for (const Determiner& determiner : lexicon::determiners) {
        const std::uint64_t share = weight(determiner);
        if (left < share) {
            return determiner;
        }
        left -= share;
    }
    return lexicon::determiners[0]; // never reached: left was below the sum of the shares
}

void Derivation::add_core(const Core& core, const EnglishWord& noun)
{
    if (core.prenominal != nullptr) {
        const Adjective& adjective = *core.prenominal;
        const EnglishId word = add_english(adjective.english);
        FrenchWord french{core.form(adjective.french), {word}, {noun.id}};
        if (core.noun->gender == Gender::masculine && core.singular()) {
            french.before_vowel = adjective.before_vowel;
        }
        french_.push_back(french);
    }
    french_.push_back({core.french_noun(), {noun.id}});
    if (core.postnominal != nullptr) {
        const EnglishId word = add_english(core.postnominal->english);
        french_.push_back({core.form(core.postnominal->french), {word}, {noun.id}});
    }
    english_.push_back(noun);
}

/// "the small black cat": le petit chat noir.
Agreement Derivation::add_with_determiner(const Core& core, const NounPhraseRules& rules)
{
    const Determiner& determiner = draw_determiner(core, rules);
    const EnglishWord noun = new_word(core.english_noun());
    const EnglishId word = add_english(determiner.english);
    const bool some_before_adjective =
        determiner.english == "some" && core.prenominal != nullptr; // de petits chats
    const std::string_view french =
        some_before_adjective ? std::string_view("de") : core.form(determiner.french);
    french_.push_back({french, {word}, {noun.id}, determiner.article});
    add_core(core, noun);
    return core.agreement(noun.id);
}

/// "the king 's red car": la voiture rouge du roi.
Agreement Derivation::add_with_possessor(const Core& core)
{
    const auto before = static_cast<std::ptrdiff_t>(french_.size());
    NounPhraseRules rules;
    rules.kinds = lexicon::living;
    rules.articles_a_some = false;
    add_noun_phrase(0, rules);
    const auto behind_possessor = static_cast<std::ptrdiff_t>(french_.size());

    const EnglishWord noun = new_word(core.english_noun());
    const EnglishId of = add_english("'s");
    const Determiner& the = lexicon::determiners[0];
    french_.push_back({core.form(the.french), {of}, {noun.id}, the.article});
    add_core(core, noun);
    french_.push_back({"de", {of}});

    // In French the possessor stands last.
    std::rotate(french_.begin() + before, french_.begin() + behind_possessor, french_.end());
    return core.agreement(noun.id);
}

/// "the queen and the boys": la reine et les garçons, masculine unless both are feminine.
Agreement Derivation::add_coordination(const NounPhraseRules& rules)
{
    NounPhraseRules single = rules;
    single.kinds = rules.kinds & lexicon::living;
    Agreement both = add_noun_phrase(0, single);
    add_word("and", "et");
    const Agreement second = add_noun_phrase(0, single);
    coordination_end_ = french_.size();
    const bool feminine = both.gender == Gender::feminine && second.gender == Gender::feminine;
    both.person = Person::third_plural;
    both.gender = feminine ? Gender::feminine : Gender::masculine;
    both.number = Number::plural;
    both.kinds |= second.kinds;
    both.is_coordination = true;
    return both;
}

Agreement Derivation::add_noun_phrase(std::size_t depth, const NounPhraseRules& rules)
{
    const bool may_be_living = (rules.kinds & lexicon::living) != 0;
    const bool may_be_thing = (rules.kinds & lexicon::thing) != 0;
    const bool living = may_be_living && (!may_be_thing || chance(0.4));
    if (depth > 0 && living && rules.coordination && chance(0.16 * richness_)) {
        return add_coordination(rules);
    }
    const Core core = draw_core(rules, living);
    if (depth > 0 && chance(0.28 * richness_)) {
        return add_with_possessor(core);
    }
    const Agreement noun = add_with_determiner(core, rules);
    if (depth > 0 && rules.post_modifiers) {
        add_post_modifier(noun, depth);
    }
    return noun;
}

/// At most one of three, so that it is never open what a relative clause belongs to.
void Derivation::add_post_modifier(const Agreement& noun, std::size_t depth)
{
    constexpr double of = 0.32;
    constexpr double subject = 0.28;
    constexpr double object = 0.28;
    const double drawn = random_.uniform();
    if (drawn < of * richness_) {
        add_of_phrase(depth - 1);
    } else if (drawn < (of + subject) * richness_) {
        add_subject_relative(noun, depth - 1);
    } else if (drawn < (of + subject + object) * richness_) {
        add_object_relative(noun);
    }
}

/// "of the church": de l'église.
void Derivation::add_of_phrase(std::size_t depth)
{
    NounPhraseRules rules;
    rules.some = false;
    rules.post_modifiers = false;
    rules.coordination = false;
    add_word("of", "de");
    add_noun_phrase(depth, rules);
}

/// "who sleeps", "that is red": qui dort, qui est rouge.
void Derivation::add_subject_relative(const Agreement& noun, std::size_t depth)
{
    add_word(fits(lexicon::living, noun.kinds) ? "who" : "that", "qui");
    french_.back().possible = {noun.head};
    add_verb_phrase(depth, noun, true);
}

/// "that she buys": qu'elle achète.
void Derivation::add_object_relative(const Agreement& noun)
{
    add_word("that", "que");
    french_.back().possible = {noun.head};
    NounPhraseRules rules;
    rules.kinds = lexicon::living;
    const Agreement subject = chance(0.6) ? add_pronoun() : add_noun_phrase(0, rules);
    add_verb(subject, draw_transitive(noun.kinds));
}

} // namespace attn::text
