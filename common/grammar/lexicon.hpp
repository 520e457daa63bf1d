/// \file
/// \brief The words of the grammar: English and French side by side, with every form that they
/// take. Which form stands where is for the grammar to say, and what a French word's neighbour
/// does to it is in morphology.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

/// The words of the grammar that makes the English and French sentences.
namespace attn::text::lexicon {

/// The gender of a French noun and of what agrees with it.
enum class Gender
{
    masculine, ///< le roi
    feminine   ///< la reine
};

/// One or several.
enum class Number
{
    singular, ///< one
    plural    ///< several
};

/// Who acts. English "you" is always French "vous".
enum class Person
{
    first_singular, ///< je
    third_singular, ///< il, elle
    first_plural,   ///< nous
    second_plural,  ///< vous
    third_plural    ///< ils, elles
};

/// How many members Person has.
inline constexpr std::size_t n_persons = 5;

/// A set of the kinds of beings and things that nouns stand for: a sum of the bits below. The
/// kinds keep random sentences decent: nobody is sold, nobody has a colour, no child is old.
using Kinds = unsigned;
inline constexpr Kinds adult = 1;                               ///< a man, a friend, a nurse
inline constexpr Kinds child = 2;                               ///< a boy, a girl, a child
inline constexpr Kinds ruler = 4;                               ///< a king or a queen
inline constexpr Kinds animal = 8;                              ///< a cat or a bird
inline constexpr Kinds thing = 16;                              ///< a house, a flower
inline constexpr Kinds not_person = ruler | animal | thing;     ///< all but persons
inline constexpr Kinds not_child = adult | not_person;          ///< all but children
inline constexpr Kinds living = adult | child | ruler | animal; ///< what can act
inline constexpr Kinds any_kind = living | thing;               ///< no restriction

/// A French word in the four forms in which it can agree.
struct AgreeingForms
{
    std::string_view masculine_singular; ///< petit
    std::string_view feminine_singular;  ///< petite
    std::string_view masculine_plural;   ///< petits
    std::string_view feminine_plural;    ///< petites

    /// The form that agrees.
    /// \returns empty if the word has no such form, as "un" has no plural
    constexpr std::string_view form(Gender gender, Number number) const
    {
        const bool feminine = gender == Gender::feminine;
        return number == Number::singular ? (feminine ? feminine_singular : masculine_singular)
                                          : (feminine ? feminine_plural : masculine_plural);
    }
};

/// A noun.
struct Noun
{
    std::string_view english;        ///< man
    std::string_view english_plural; ///< men
    std::string_view french;         ///< homme
    std::string_view french_plural;  ///< hommes
    Gender gender;                   ///< of the French noun
    Kinds kind;                      ///< one bit: what the noun stands for
};

/// An adjective.
struct Adjective
{
    std::string_view english;           ///< old
    AgreeingForms french;               ///< vieux, vieille, vieux, vieilles
    Kinds kinds;                        ///< what it may be said of
    std::string_view before_vowel = {}; ///< vieil: the masculine singular before a vowel, if
                                        ///< it is a form of its own
};

/// A verb other than "be", in the present tense.
struct Verb
{
    std::string_view base;                          ///< look
    std::string_view third_singular;                ///< looks
    std::string_view particle;                      ///< "for" if the verb is "look for"
    std::array<std::string_view, n_persons> french; ///< cherche, ..., one for each Person
    Kinds objects = any_kind;                       ///< what its object may be; of a verb
                                                    ///< without object, who may be near
};

/// A verb whose French object stands behind "à".
struct IndirectVerb
{
    Verb verb;                    ///< parler
    std::string_view preposition; ///< what "à" is in English: to; empty in "obey somebody"
};

/// A pronoun as the subject.
struct SubjectPronoun
{
    std::string_view english; ///< we
    std::string_view french;  ///< nous
    Person person;            ///< what the verb agrees with
    Gender gender;            ///< what adjectives agree with
    Number number;            ///< what adjectives agree with
};

/// A pronoun as the object; in French it stands before the verb.
struct Clitic
{
    std::string_view english; ///< him
    std::string_view french;  ///< le
    Person person;            ///< nobody is both subject and object in the first or second
};

/// Whether a determiner is an article: articles merge with "de" and "à", or turn into "de".
enum class Article
{
    none,      ///< my, this
    definite,  ///< the
    indefinite ///< a, some
};

/// A determiner. Where a form is missing, the determiner has no such number.
struct Determiner
{
    std::string_view english; ///< the
    AgreeingForms french;     ///< le, la, les, les
    unsigned weight;          ///< how often it is drawn, in proportion
    Article article;          ///< definite for "the", indefinite for "a" and "some"
};

/// A word that has one form in either language.
struct Pair
{
    std::string_view english; ///< often
    std::string_view french;  ///< souvent
};

/// A preposition.
struct Preposition
{
    std::string_view english; ///< near
    std::string_view french;  ///< près
    Kinds kinds;              ///< what may stand behind it
    bool takes_de = false;    ///< "near" is "près de"
    bool takes_some = true;   ///< whether "some" may follow: not "sans des amis"
};

/// A conjunction.
struct Conjunction
{
    std::string_view english;            ///< because
    std::string_view french;             ///< parce
    std::string_view french_second = {}; ///< que
};

/// The nouns that can act.
extern const std::span<const Noun> living_nouns;
/// The nouns that cannot.
extern const std::span<const Noun> thing_nouns;
/// The adjectives that French puts before the noun.
extern const std::span<const Adjective> prenominal_adjectives;
/// The adjectives that French puts behind the noun.
extern const std::span<const Adjective> postnominal_adjectives;
/// The verbs with an object.
extern const std::span<const Verb> transitive_verbs;
/// The verbs without an object.
extern const std::span<const Verb> intransitive_verbs;
/// The verbs with an object behind "à".
extern const std::span<const IndirectVerb> indirect_verbs;
/// The verbs with an object and a receiver behind "à".
extern const std::span<const Verb> giving_verbs;
/// The verbs with a clause behind "que".
extern const std::span<const Verb> saying_verbs;
/// The pronouns that act.
extern const std::span<const SubjectPronoun> subject_pronouns;
/// The pronouns that something is done to.
extern const std::span<const Clitic> clitics;
/// Articles, demonstratives and possessives.
extern const std::span<const Determiner> determiners;
/// How often something is done; "often" and "always", which go with "not", stand first.
extern const std::span<const Pair> frequency_adverbs;
/// Where, when and with whom; "together" stands last.
extern const std::span<const Pair> closing_adverbs;
/// Prepositions; "for" stands last.
extern const std::span<const Preposition> prepositions;
/// Between clauses; "and" stands first.
extern const std::span<const Conjunction> conjunctions;

/// "be", the one verb that English inflects for more than one person.
/// \returns am, is or are
std::string_view english_be(Person subject);

/// "être".
/// \returns suis, est, sommes, êtes or sont
std::string_view french_be(Person subject);

} // namespace attn::text::lexicon
