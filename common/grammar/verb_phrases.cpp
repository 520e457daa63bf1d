/// \file
/// \brief The verb phrases of the grammar: negation, adverbs, pronouns before the French verb,
/// objects, and what closes a clause.
#include "common/grammar/derivation.hpp"

#include <optional>
#include <span>

namespace attn::text {

namespace {

using lexicon::Article;
using lexicon::Clitic;
using lexicon::Kinds;
using lexicon::Number;
using lexicon::Person;
using lexicon::Preposition;
using lexicon::Verb;

std::string_view french_form(const Verb& verb, Person subject)
{
    return verb.french[static_cast<std::size_t>(subject)];
}

/// Whether a pronoun can be the object of a subject: not the same person of a conversation.
bool can_be_object(Person object, Person subject)
{
    const auto first = [](Person person) {
        return person == Person::first_singular || person == Person::first_plural;
    };
    const bool both_speak = first(object) && first(subject);
    const bool both_hear = object == Person::second_plural && subject == Person::second_plural;
    return !both_speak && !both_hear;
}

} // namespace

/// What may stand by a verb, as English words; their French is put down with the verb's.
struct Derivation::Modifiers
{
    std::optional<EnglishWord> negation; ///< "not" or "never"
    std::optional<EnglishWord> adverb;   ///< how often; not together with "never"
    std::string_view french_adverb = {}; ///< empty without an adverb

    /// Whether the negation is a given one.
    /// \param english  "not" or "never"
    /// \returns        false if there is no negation
    bool is(std::string_view english) const { return negation && negation->text == english; }

    /// \returns the negation's number in the sentence, nothing if there is none
    std::optional<EnglishId> negation_id() const
    {
        return negation ? std::optional(negation->id) : std::nullopt;
    }

    /// Puts down the words that there are.
    void add_to(std::vector<EnglishWord>& english) const
    {
        if (negation) {
            english.push_back(*negation);
        }
        if (adverb) {
            english.push_back(*adverb);
        }
    }
};

Derivation::Modifiers Derivation::draw_modifiers(bool negatable)
{
    Modifiers modifiers;
    const double drawn = random_.uniform();
    if (negatable && drawn < 0.28) {
        modifiers.negation = new_word(drawn < 0.20 ? "not" : "never");
    }
    if (!modifiers.is("never") && chance(0.12)) {
        constexpr std::size_t n_under_not = 2; // often, always
        const std::size_t n =
            modifiers.negation ? n_under_not : lexicon::frequency_adverbs.size();
        const lexicon::Pair& adverb = choose(std::span(lexicon::frequency_adverbs).first(n));
        modifiers.adverb = new_word(adverb.english);
        modifiers.french_adverb = adverb.french;
    }
    return modifiers;
}

/// ne la voit pas souvent: what stands around the verb, which is put down with it.
void Derivation::add_french_verb(const FrenchWord& verb, const Modifiers& modifiers,
                                 const std::optional<FrenchWord>& clitic)
{
    if (modifiers.negation) {
        french_.push_back({"ne", {modifiers.negation->id}});
    }
    if (clitic) {
        french_.push_back(*clitic);
    }
    french_.push_back(verb);
    if (modifiers.negation) {
        french_.push_back({modifiers.is("not") ? "pas" : "jamais", {modifiers.negation->id}});
    }
    if (modifiers.adverb) {
        french_.push_back({modifiers.french_adverb, {modifiers.adverb->id}});
    }
}

/// "are not often": ne sont pas souvent.
void Derivation::add_be(const Agreement& subject)
{
    const EnglishId verb = add_english(lexicon::english_be(subject.person));
    const Modifiers modifiers = draw_modifiers(true);
    modifiers.add_to(english_);
    add_french_verb({lexicon::french_be(subject.person), {verb}, {subject.head}}, modifiers);
}

/// "does not often look for her": ne la cherche pas souvent.
VerbGroup Derivation::add_verb(const Agreement& subject, const Verb& verb, const Clitic* clitic,
                               bool negatable)
{
    const Modifiers modifiers = draw_modifiers(negatable);
    const bool third = subject.person == Person::third_singular;
    const bool with_do = modifiers.is("not");
    FrenchWord french{french_form(verb, subject.person), {}, {subject.head}};
    if (with_do) {
        french.possible.push_back(add_english(third ? "does" : "do"));
    }
    modifiers.add_to(english_);
    french.sure.push_back(add_english(third && !with_do ? verb.third_singular : verb.base));
    if (!verb.particle.empty()) {
        french.sure.push_back(add_english(verb.particle));
    }

    std::optional<FrenchWord> french_clitic;
    if (clitic != nullptr) {
        french_clitic = FrenchWord{clitic->french, {add_english(clitic->english)}, french.sure};
    }
    add_french_verb(french, modifiers, french_clitic);
    return {french.sure, modifiers.negation_id()};
}

const Verb& Derivation::draw_transitive(Kinds object)
{
    return choose_if(lexicon::transitive_verbs,
                     [object](const Verb& verb) { return fits(verb.objects, object); });
}

/// "is tired", "is in the garden": est fatigué, est dans le jardin.
void Derivation::add_be_phrase(std::size_t depth, const Agreement& subject)
{
    add_be(subject);
    if (!chance(0.75)) {
        const bool with_for = fits(lexicon::thing, subject.kinds); // nobody is for somebody
        add_prepositional_phrase(depth, lexicon::any_kind, with_for);
        return;
    }
    const bool postnominal = chance(0.75);
    const lexicon::Adjective& adjective = choose_if(
        postnominal ? std::span<const lexicon::Adjective>(lexicon::postnominal_adjectives)
                    : lexicon::prenominal_adjectives,
        [&](const lexicon::Adjective& a) { return fits(a.kinds, subject.kinds); });
    add_word(adjective.english, adjective.french.form(subject.gender, subject.number));
    french_.back().possible = {subject.head};
}

/// "loves him": l'aime.
void Derivation::add_object_pronoun_phrase(const Agreement& subject)
{
    const Clitic& clitic = choose_if(lexicon::clitics, [&](const Clitic& candidate) {
        return can_be_object(candidate.person, subject.person);
    });
    const Verb& verb = choose_if(lexicon::transitive_verbs,
                                 [](const Verb& v) { return v.objects != lexicon::thing; });
    add_verb(subject, verb, &clitic);
}

/// "a house" behind a verb: une maison, but under negation de: je ne vois pas de maison. Two
/// objects joined by "et" keep their articles.
void Derivation::add_direct_object(const VerbGroup& group, std::size_t depth,
                                   const NounPhraseRules& rules)
{
    const std::size_t before = french_.size();
    const Agreement object = add_noun_phrase(depth, rules);
    FrenchWord& first = french_[before];
    if (group.negation && first.article == Article::indefinite && !object.is_coordination) {
        first.text = "de";
        first.possible = {*group.negation};
    }
}

/// "sees a house": voit une maison.
void Derivation::add_transitive_phrase(std::size_t depth, const Agreement& subject)
{
    const Verb& verb = choose(lexicon::transitive_verbs);
    const VerbGroup group = add_verb(subject, verb);
    NounPhraseRules rules;
    rules.kinds = verb.objects;
    add_direct_object(group, depth, rules);
}

/// "thinks about the king", "obeys the queen": pense au roi, obéit à la reine.
void Derivation::add_indirect_phrase(std::size_t depth, const Agreement& subject)
{
    const lexicon::IndirectVerb& entry = choose(lexicon::indirect_verbs);
    const VerbGroup group = add_verb(subject, entry.verb);
    if (entry.preposition.empty()) {
        french_.push_back({"à", group.verb});
    } else {
        add_word(entry.preposition, "à");
    }
    NounPhraseRules rules;
    rules.kinds = entry.verb.objects;
    rules.coordination = false;
    add_noun_phrase(depth, rules);
}

/// "gives the book to the girl": donne le livre à la fille.
void Derivation::add_giving_phrase(std::size_t depth, const Agreement& subject)
{
    const std::size_t inner_depth = depth > 0 ? depth - 1 : 0;
    const VerbGroup group = add_verb(subject, choose(lexicon::giving_verbs));
    NounPhraseRules given;
    given.kinds = lexicon::thing;
    given.post_modifiers = false;
    add_direct_object(group, inner_depth, given);
    add_word("to", "à");
    NounPhraseRules receiver;
    receiver.kinds = lexicon::living;
    receiver.coordination = false;
    add_noun_phrase(inner_depth, receiver);
}

/// "under the tree", "near the church": sous l'arbre, près de l'église.
void Derivation::add_prepositional_phrase(std::size_t depth, Kinds kinds, bool with_for)
{
    const std::size_t n = lexicon::prepositions.size();
    const Preposition& preposition =
        choose(std::span(lexicon::prepositions).first(with_for ? n : n - 1));
    const EnglishId word = add_word(preposition.english, preposition.french);
    if (preposition.takes_de) {
        french_.push_back({"de", {word}});
    }
    NounPhraseRules rules;
    rules.kinds = preposition.kinds & kinds;
    rules.some = preposition.takes_some;
    rules.coordination = !preposition.takes_de;
    add_noun_phrase(depth > 0 ? depth - 1 : 0, rules);
}

/// "here", "today", "together"; one alone does nothing together.
void Derivation::add_closing_adverb(const Agreement& subject, bool with_together)
{
    const std::size_t n = lexicon::closing_adverbs.size();
    const bool all = with_together && subject.number == Number::plural;
    const lexicon::Pair& adverb =
        choose(std::span(lexicon::closing_adverbs).first(all ? n : n - 1));
    add_word(adverb.english, adverb.french);
}

/// A verb with what it takes.
/// \returns  who or what may be near when it is done
Kinds Derivation::add_verb_and_objects(std::size_t depth, const Agreement& subject)
{
    const double drawn = random_.uniform();
    if (drawn < 0.22) {
        const Verb& verb = choose(lexicon::intransitive_verbs);
        add_verb(subject, verb);
        return verb.objects;
    }
    if (drawn < 0.46) {
        add_object_pronoun_phrase(subject);
    } else if (drawn < 0.80) {
        add_transitive_phrase(depth, subject);
    } else if (drawn < 0.90) {
        add_indirect_phrase(depth, subject);
    } else {
        add_giving_phrase(depth, subject);
    }
    return lexicon::any_kind;
}

void Derivation::add_verb_phrase(std::size_t depth, const Agreement& subject, bool in_relative)
{
    if (!fits(lexicon::living, subject.kinds) || chance(0.22)) {
        add_be_phrase(depth, subject);
        return;
    }
    const Kinds nearby = add_verb_and_objects(depth, subject);
    if (in_relative) {
        return; // what closes a clause would not tell which one
    }
    if (chance(0.36 * richness_)) {
        add_prepositional_phrase(depth, nearby);
    } else if (chance(0.10)) {
        add_closing_adverb(subject, nearby == lexicon::any_kind);
    }
}

} // namespace attn::text
