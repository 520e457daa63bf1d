/// \file
/// \brief Whether the French is French and the English English, seen from outside: forms are
/// looked up through the links in tables of this file and of the lexicon, and neighbours are
/// held against the rules of elision, with no rule of the grammar in between.
#include "tests/common/grammar/grammar_samples.hpp"
#include "tests/support/catch.hpp"

#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <utility>

using namespace attn::testing;
using namespace attn::text::lexicon;
using attn::text::SentencePair;
using attn::text::Words;

namespace {

using Forms = std::set<std::string>;

/// What a determiner may become, by gender and number.
struct DeterminerForms
{
    Forms masculine, feminine, masculine_plural, feminine_plural;

    const Forms& of(Gender gender, Number number) const
    {
        const bool is_feminine = gender == Gender::feminine;
        return number == Number::singular ? (is_feminine ? feminine : masculine)
                                          : (is_feminine ? feminine_plural : masculine_plural);
    }
};

const std::map<std::string, DeterminerForms> determiner_forms = {
    {"the",
     {{"le", "l'", "du", "au"}, {"la", "l'"}, {"les", "des", "aux"}, {"les", "des", "aux"}}},
    {"'s",
     {{"le", "l'", "du", "au"}, {"la", "l'"}, {"les", "des", "aux"}, {"les", "des", "aux"}}},
    {"a", {{"un"}, {"une"}, {}, {}}},
    {"some", {{}, {}, {"des", "de"}, {"des", "de"}}},
    {"this", {{"ce", "cet"}, {"cette"}, {}, {}}},
    {"these", {{}, {}, {"ces"}, {"ces"}}},
    {"my", {{"mon"}, {"ma", "mon"}, {"mes"}, {"mes"}}},
    {"his", {{"son"}, {"sa", "son"}, {"ses"}, {"ses"}}},
    {"her", {{"son"}, {"sa", "son"}, {"ses"}, {"ses"}}},
    {"our", {{"notre"}, {"notre"}, {"nos"}, {"nos"}}},
    {"their", {{"leur"}, {"leur"}, {"leurs"}, {"leurs"}}},
};

const std::map<std::string, Person> pronoun_persons = {
    {"i", Person::first_singular},   {"he", Person::third_singular},
    {"she", Person::third_singular}, {"we", Person::first_plural},
    {"you", Person::second_plural},  {"they", Person::third_plural},
};

/// What agrees with a head, seen from outside.
struct SubjectReading
{
    Person person;
    Gender gender;
    Number number;
};

SubjectReading reading_of_pronoun(const std::string& pronoun)
{
    const Person person = pronoun_persons.at(pronoun);
    const bool singular = person == Person::first_singular || person == Person::third_singular;
    return {person, pronoun == "she" ? Gender::feminine : Gender::masculine,
            singular ? Number::singular : Number::plural};
}

/// Reads the subject that a verb or a predicate is linked to. A noun in front of "and" and
/// another noun phrase is one of two subjects if what agrees is plural or the noun is.
SubjectReading reading_of_subject(const Words& words, std::size_t head, bool with_next)
{
    if (pronoun_persons.count(words[head]) > 0) {
        return reading_of_pronoun(words[head]);
    }
    const auto noun = noun_reading(words[head]);
    REQUIRE(noun);
    SubjectReading reading{noun->number == Number::singular ? Person::third_singular
                                                            : Person::third_plural,
                           noun->noun->gender, noun->number};
    const auto second = simple_noun_phrase(words, head + 2);
    if (with_next && words[head + 1] == "and" && second) {
        reading.person = Person::third_plural;
        reading.number = Number::plural;
        if (noun_reading(words[*second])->noun->gender == Gender::masculine) {
            reading.gender = Gender::masculine;
        }
    }
    return reading;
}

/// Whether a vowel is heard first, by the first byte: all our accented capitals begin C3.
bool sounds_like_vowel(const std::string& word)
{
    const auto first = static_cast<unsigned char>(word[0]);
    return std::string("aeiouh").find(word[0]) != std::string::npos || first == 0xc3;
}

/// Whether two French words may stand side by side.
bool may_be_neighbours(const std::string& word, const std::string& next)
{
    static const Forms only_before_vowels = {"l'", "d'",  "n'",    "qu'", "j'",
                                             "m'", "cet", "vieil", "bel"};
    static const Forms never_before_vowels = {"le", "la", "de", "ne", "que",
                                              "je", "me", "ce", "ma", "sa"};
    if (word == "s'") {
        return next == "il" || next == "ils";
    }
    if (word == "si") {
        return next != "il" && next != "ils";
    }
    if ((word == "de" || word == "à") && (next == "le" || next == "les")) {
        return false;
    }
    if ((word == "de" || word == "sans") && (next == "des" || next == "de" || next == "du")) {
        return false;
    }
    return sounds_like_vowel(next) ? never_before_vowels.count(word) == 0
                                   : only_before_vowels.count(word) == 0;
}

/// Whether "mon" and "son" with a feminine noun stand only where "ma" and "sa" cannot.
bool masculine_for_feminine_is_due(const SentencePair& pair, std::size_t target, Gender gender)
{
    const std::string& form = pair.target[target];
    return gender == Gender::masculine || (form != "mon" && form != "son") ||
           sounds_like_vowel(pair.target[target + 1]);
}

bool determiner_agrees(const SentencePair& pair, std::size_t target)
{
    const auto possible = sources_of(pair.possible, target);
    const auto noun = possible.empty() ? std::nullopt : noun_reading(pair.source[possible[0]]);
    for (const std::size_t source : sources_of(pair.sure, target)) {
        const auto entry = determiner_forms.find(pair.source[source]);
        if (entry == determiner_forms.end() || !noun) {
            continue; // no determiner, the "de" of a possessor, or a clitic
        }
        const Forms& forms = entry->second.of(noun->noun->gender, noun->number);
        if (forms.count(pair.target[target]) == 0 ||
            !masculine_for_feminine_is_due(pair, target, noun->noun->gender)) {
            return false;
        }
    }
    return true;
}

/// Where the verb stands that a predicate belongs to: before it, linked to the same head.
std::size_t verb_of_predicate(const Words& words, std::size_t predicate)
{
    static const Forms forms_of_be = {"am", "is", "are"};
    std::size_t position = predicate;
    while (forms_of_be.count(words[position]) == 0) {
        --position;
    }
    return position;
}

bool adjective_agrees(const SentencePair& pair, std::size_t target)
{
    const auto sure = sources_of(pair.sure, target);
    const auto* adjective =
        sure.size() == 1 ? adjective_reading(pair.source[sure[0]]) : nullptr;
    if (adjective == nullptr) {
        return true;
    }
    const std::size_t head = sources_of(pair.possible, target).at(0);
    const bool is_predicate = sure[0] > head;
    const bool plural_verb =
        is_predicate && pair.source[verb_of_predicate(pair.source, sure[0])] == "are";
    const SubjectReading reading = reading_of_subject(pair.source, head, plural_verb);
    const bool vowel_form = !is_predicate && !adjective->before_vowel.empty() &&
                            reading.gender == Gender::masculine &&
                            reading.number == Number::singular &&
                            sounds_like_vowel(pair.target[target + 1]);
    return pair.target[target] ==
           (vowel_form ? adjective->before_vowel
                       : adjective->french.form(reading.gender, reading.number));
}

/// A verb by its English words: "look", "for".
const attn::text::lexicon::Verb* verb_reading(const Words& words,
                                              const std::vector<std::size_t>& positions)
{
    const std::string particle = positions.size() > 1 ? words[positions[1]] : "";
    const auto is_it = [&](const attn::text::lexicon::Verb& verb) {
        const std::string& word = words[positions[0]];
        return (verb.base == word || verb.third_singular == word) && verb.particle == particle;
    };
    namespace lexicon = attn::text::lexicon;
    using Verbs = std::span<const lexicon::Verb>;
    for (const Verbs verbs :
         std::initializer_list<Verbs>{lexicon::transitive_verbs, lexicon::intransitive_verbs,
                                      lexicon::giving_verbs, lexicon::saying_verbs}) {
        const auto found = std::find_if(verbs.begin(), verbs.end(), is_it);
        if (found != verbs.end()) {
            return &*found;
        }
    }
    for (const auto& indirect : lexicon::indirect_verbs) {
        if (is_it(indirect.verb)) {
            return &indirect.verb;
        }
    }
    return nullptr;
}

bool verb_agrees(const SentencePair& pair, std::size_t target)
{
    const auto sure = sources_of(pair.sure, target);
    const auto* verb = verb_reading(pair.source, sure);
    const auto possible = sources_of(pair.possible, target);
    if (verb == nullptr || possible.empty() || pair.target[target] == "à") {
        return true; // no verb, or the "à" of "obéir"
    }
    // English: "sees" or "does see" in the third person singular, "see" or "do see" elsewhere.
    const std::size_t head = possible[0];
    const bool with_do = possible.size() == 2;
    const std::string& inflected = pair.source[with_do ? possible[1] : sure[0]];
    const bool third = inflected == "does" || inflected == verb->third_singular;
    const SubjectReading reading = reading_of_subject(pair.source, head, !third);
    return third == (reading.person == Person::third_singular) &&
           (!with_do || pair.source[sure[0]] == verb->base) &&
           pair.target[target] == verb->french[static_cast<std::size_t>(reading.person)];
}

bool be_agrees(const SentencePair& pair, std::size_t target)
{
    const auto sure = sources_of(pair.sure, target);
    const std::string& english = pair.source[sure[0]];
    if (english != "am" && english != "is" && english != "are") {
        return true;
    }
    const std::size_t head = sources_of(pair.possible, target).at(0);
    const Person person = reading_of_subject(pair.source, head, english == "are").person;
    static const std::map<Person, std::pair<std::string, std::string>> forms = {
        {Person::first_singular, {"am", "suis"}},  {Person::third_singular, {"is", "est"}},
        {Person::first_plural, {"are", "sommes"}}, {Person::second_plural, {"are", "êtes"}},
        {Person::third_plural, {"are", "sont"}},
    };
    return forms.at(person) == std::pair(english, pair.target[target]);
}

/// Whether "a" or "some" behind a verb is "de" where it must be: under negation and before an
/// early adjective in the plural, but not under negation if the object is "... and ...".
bool indefinite_object_is_due(const SentencePair& pair, std::size_t position)
{
    static const Forms with_object = {"see",   "love",   "know",  "find",  "buy",     "sell",
                                      "draw",  "follow", "give",  "sees",  "loves",   "knows",
                                      "finds", "buys",   "sells", "draws", "follows", "gives"};
    const Words& words = pair.source;
    const auto noun = simple_noun_phrase(words, position);
    if ((words[position] != "a" && words[position] != "some") || position < 3 || !noun ||
        with_object.count(words[position - 1]) == 0) {
        return true;
    }
    const bool before_and = words[*noun + 1] == "and";
    const auto second = simple_noun_phrase(words, *noun + 2);
    const bool joined = before_and && second && words[*second + 1] == ".";
    if (before_and && !joined) {
        return true; // the next clause may begin there
    }
    const auto negates = [](const std::string& w) { return w == "not" || w == "never"; };
    const bool negated = negates(words[position - 2]) ||
                         (words[position - 3] == "not" &&
                          (words[position - 2] == "often" || words[position - 2] == "always"));
    const bool early_adjective =
        words[position] == "some" &&
        std::any_of(attn::text::lexicon::prenominal_adjectives.begin(),
                    attn::text::lexicon::prenominal_adjectives.end(),
                    [&](const auto& a) { return a.english == words[position + 1]; });
    const auto link = std::find_if(pair.sure.begin(), pair.sure.end(),
                                   [position](const auto& l) { return l.source == position; });
    const std::string& french = pair.target[link->target];
    return (french == "de" || french == "d'") == ((negated && !joined) || early_adjective);
}

} // namespace

TEST_CASE("determiners, adjectives and verbs agree through their links", "[text][property]")
{
    const std::vector<SentencePair> sample = grammar_sample(4000);
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::target>(determiner_agrees)) ==
          "");
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::target>(adjective_agrees)) ==
          "");
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::target>(verb_agrees)) == "");
    CHECK(first_offender(sample, at_every_word_of<&SentencePair::target>(be_agrees)) == "");
}

TEST_CASE("words that elision or contraction forbids are never neighbours", "[text][property]")
{
    const auto is_allowed = [](const SentencePair& pair, std::size_t i) {
        return i + 1 == pair.target.size() ||
               may_be_neighbours(pair.target[i], pair.target[i + 1]);
    };
    CHECK(first_offender(grammar_sample(4000),
                         at_every_word_of<&SentencePair::target>(is_allowed)) == "");
}

TEST_CASE("under negation, and only there, an indefinite object takes de", "[text][property]")
{
    CHECK(first_offender(grammar_sample(12000), at_every_word_of<&SentencePair::source>(
                                                    indefinite_object_is_due)) == "");
}
