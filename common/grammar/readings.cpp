#include "common/grammar/readings.hpp"

#include "common/grammar/morphology.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>

namespace attn::text {

namespace {

using lexicon::Gender;
using lexicon::Number;
using lexicon::Person;

/// All words with their readings.
using Readings = std::map<std::string, std::vector<Reading>, std::less<>>;

constexpr std::array genders = {Gender::masculine, Gender::feminine};
constexpr std::array numbers = {Number::singular, Number::plural};

Number number_of(Person person)
{
    return person == Person::first_singular || person == Person::third_singular
               ? Number::singular
               : Number::plural;
}

void add(Readings& all, std::string_view word, const Reading& reading)
{
    if (!word.empty()) {
        all[std::string(word)].push_back(reading);
    }
}

/// A word as it is before a vowel.
std::string_view before_vowel(const FrenchWord& word)
{
    return fit_together({word, {"ami", {}}}).front().text;
}

void add_determiner(Readings& all, const lexicon::Determiner& determiner, Gender gender,
                    Number number)
{
    const std::string_view form = determiner.french.form(gender, number);
    if (form.empty()) {
        return;
    }
    const Reading reading{Category::determiner, gender, number};
    const FrenchWord word{form, {}, {}, determiner.article};
    add(all, form, reading);
    if (number == Number::singular && before_vowel(word) != form) {
        add(all, before_vowel(word), reading);
    }
    for (const std::string_view preposition : {"de", "à"}) {
        const std::vector<FrenchWord> merged = fit_together({{preposition, {}}, word});
        if (merged.size() == 1) {
            add(all, merged.front().text, reading);
        }
    }
}

void add_adjective(Readings& all, const lexicon::Adjective& adjective)
{
    for (const Gender gender : genders) {
        for (const Number number : numbers) {
            add(all, adjective.french.form(gender, number),
                {Category::adjective, gender, number});
        }
    }
    add(all, adjective.before_vowel,
        {Category::adjective, Gender::masculine, Number::singular});
}

void add_noun(Readings& all, const lexicon::Noun& noun)
{
    add(all, noun.french, {Category::noun, noun.gender, Number::singular});
    add(all, noun.french_plural, {Category::noun, noun.gender, Number::plural});
}

/// \param form  std::string_view of a Person
template <typename Form>
void add_verb(Readings& all, const Form& form)
{
    for (std::size_t i = 0; i < lexicon::n_persons; ++i) {
        const auto person = static_cast<Person>(i);
        add(all, form(person), {Category::verb, {}, number_of(person), person});
    }
}

void add_verbs(Readings& all)
{
    const auto add_one = [&](const lexicon::Verb& verb) {
        add_verb(all, [&](Person person) {
            return verb.french[static_cast<std::size_t>(person)];
        });
    };
    add_verb(all, lexicon::french_be);
    std::for_each(lexicon::transitive_verbs.begin(), lexicon::transitive_verbs.end(), add_one);
    std::for_each(lexicon::intransitive_verbs.begin(), lexicon::intransitive_verbs.end(),
                  add_one);
    std::for_each(lexicon::giving_verbs.begin(), lexicon::giving_verbs.end(), add_one);
    std::for_each(lexicon::saying_verbs.begin(), lexicon::saying_verbs.end(), add_one);
    for (const lexicon::IndirectVerb& verb : lexicon::indirect_verbs) {
        add_one(verb.verb);
    }
}

void add_pronouns(Readings& all)
{
    for (const lexicon::SubjectPronoun& pronoun : lexicon::subject_pronouns) {
        const Reading reading{Category::pronoun, pronoun.gender, pronoun.number,
                              pronoun.person};
        add(all, pronoun.french, reading);
        if (before_vowel({pronoun.french, {}}) != pronoun.french) {
            add(all, before_vowel({pronoun.french, {}}), reading);
        }
    }
    for (const lexicon::Clitic& clitic : lexicon::clitics) {
        const Reading reading{Category::pronoun, {}, number_of(clitic.person), clitic.person};
        add(all, clitic.french, reading);
        if (before_vowel({clitic.french, {}}) != clitic.french) {
            add(all, before_vowel({clitic.french, {}}), reading);
        }
    }
}

Readings all_readings()
{
    Readings all;
    for (const lexicon::Determiner& determiner : lexicon::determiners) {
        for (const Gender gender : genders) {
            for (const Number number : numbers) {
                add_determiner(all, determiner, gender, number);
            }
        }
    }
    for (const auto* const table : {&lexicon::living_nouns, &lexicon::thing_nouns}) {
        for (const lexicon::Noun& noun : *table) {
            add_noun(all, noun);
        }
    }
    std::for_each(lexicon::prenominal_adjectives.begin(), lexicon::prenominal_adjectives.end(),
                  [&](const lexicon::Adjective& one) { add_adjective(all, one); });
    std::for_each(lexicon::postnominal_adjectives.begin(),
                  lexicon::postnominal_adjectives.end(),
                  [&](const lexicon::Adjective& one) { add_adjective(all, one); });
    add_verbs(all);
    add_pronouns(all);
    return all;
}

/// Whether what both have is the same.
template <typename Feature>
bool compatible(const std::optional<Feature>& a, const std::optional<Feature>& b)
{
    return !a || !b || *a == *b;
}

} // namespace

const std::vector<Reading>& readings_of(std::string_view word)
{
    static const Readings all = all_readings();
    static const std::vector<Reading> none;
    const auto found = all.find(word);
    return found == all.end() ? none : found->second;
}

bool can_be(std::string_view word, Category category)
{
    const std::vector<Reading>& all = readings_of(word);
    return category == Category::other
               ? all.empty()
               : std::any_of(all.begin(), all.end(), [&](const Reading& one) {
                     return one.category == category;
                 });
}

bool agree(const Reading& a, const Reading& b)
{
    return compatible(a.gender, b.gender) && compatible(a.number, b.number) &&
           compatible(a.person, b.person);
}

bool agree(std::string_view a, Category category_of_a, std::string_view b,
           Category category_of_b)
{
    for (const Reading& of_a : readings_of(a)) {
        for (const Reading& of_b : readings_of(b)) {
            if (of_a.category == category_of_a && of_b.category == category_of_b &&
                agree(of_a, of_b)) {
                return true;
            }
        }
    }
    return false;
}

Category category_at(const Words& sentence, std::size_t i)
{
    const std::vector<Reading>& all = readings_of(sentence.at(i));
    if (all.empty()) {
        return Category::other;
    }
    const bool before_verb = i + 1 < sentence.size() && can_be(sentence[i + 1], Category::verb);
    return before_verb && can_be(sentence[i], Category::pronoun) ? Category::pronoun
                                                                  : all.front().category;
}

} // namespace attn::text
