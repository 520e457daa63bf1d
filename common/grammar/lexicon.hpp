/// \file
/// \brief The words of the grammar: English and French side by side, with every form that they
/// take. Which form stands where is for the grammar to say, and what a French word's neighbour
/// does to it is in morphology.hpp.
#pragma once

#include <array>
#include <cstddef>
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
inline constexpr std::array living_nouns = {
    Noun{"man", "men", "homme", "hommes", Gender::masculine, adult},
    Noun{"woman", "women", "femme", "femmes", Gender::feminine, adult},
    Noun{"boy", "boys", "garçon", "garçons", Gender::masculine, child},
    Noun{"girl", "girls", "fille", "filles", Gender::feminine, child},
    Noun{"child", "children", "enfant", "enfants", Gender::masculine, child},
    Noun{"friend", "friends", "ami", "amis", Gender::masculine, adult},
    Noun{"king", "kings", "roi", "rois", Gender::masculine, ruler},
    Noun{"queen", "queens", "reine", "reines", Gender::feminine, ruler},
    Noun{"actress", "actresses", "actrice", "actrices", Gender::feminine, adult},
    Noun{"cat", "cats", "chat", "chats", Gender::masculine, animal},
    Noun{"bird", "birds", "oiseau", "oiseaux", Gender::masculine, animal},
    Noun{"nurse", "nurses", "infirmière", "infirmières", Gender::feminine, adult},
};

/// The nouns that cannot.
inline constexpr std::array thing_nouns = {
    Noun{"car", "cars", "voiture", "voitures", Gender::feminine, thing},
    Noun{"house", "houses", "maison", "maisons", Gender::feminine, thing},
    Noun{"book", "books", "livre", "livres", Gender::masculine, thing},
    Noun{"table", "tables", "table", "tables", Gender::feminine, thing},
    Noun{"tree", "trees", "arbre", "arbres", Gender::masculine, thing},
    Noun{"church", "churches", "église", "églises", Gender::feminine, thing},
    Noun{"garden", "gardens", "jardin", "jardins", Gender::masculine, thing},
    Noun{"letter", "letters", "lettre", "lettres", Gender::feminine, thing},
    Noun{"flower", "flowers", "fleur", "fleurs", Gender::feminine, thing},
    Noun{"hat", "hats", "chapeau", "chapeaux", Gender::masculine, thing},
    Noun{"ship", "ships", "bateau", "bateaux", Gender::masculine, thing},
    Noun{"hotel", "hotels", "hôtel", "hôtels", Gender::masculine, thing},
};

/// The adjectives that French puts before the noun.
inline constexpr std::array prenominal_adjectives = {
    Adjective{"small", {"petit", "petite", "petits", "petites"}, any_kind},
    Adjective{"big", {"grand", "grande", "grands", "grandes"}, any_kind},
    Adjective{"young", {"jeune", "jeune", "jeunes", "jeunes"}, any_kind},
    Adjective{"good", {"bon", "bonne", "bons", "bonnes"}, not_person},
    Adjective{"old", {"vieux", "vieille", "vieux", "vieilles"}, not_child, "vieil"},
    Adjective{"beautiful", {"beau", "belle", "beaux", "belles"}, not_person, "bel"},
};

/// The adjectives that French puts behind the noun.
inline constexpr std::array postnominal_adjectives = {
    Adjective{"red", {"rouge", "rouge", "rouges", "rouges"}, animal | thing},
    Adjective{"black", {"noir", "noire", "noirs", "noires"}, animal | thing},
    Adjective{"white", {"blanc", "blanche", "blancs", "blanches"}, animal | thing},
    Adjective{"green", {"vert", "verte", "verts", "vertes"}, animal | thing},
    Adjective{"happy", {"heureux", "heureuse", "heureux", "heureuses"}, any_kind},
    Adjective{"tired", {"fatigué", "fatiguée", "fatigués", "fatiguées"}, any_kind},
    Adjective{"strange", {"étrange", "étrange", "étranges", "étranges"}, any_kind},
    Adjective{"french", {"français", "française", "français", "françaises"}, not_person},
    Adjective{"dangerous", {"dangereux", "dangereuse", "dangereux", "dangereuses"}, not_person},
    Adjective{"famous", {"célèbre", "célèbre", "célèbres", "célèbres"}, any_kind},
};

/// The verbs with an object.
inline constexpr std::array transitive_verbs = {
    Verb{"see", "sees", "", {"vois", "voit", "voyons", "voyez", "voient"}},
    Verb{"love", "loves", "", {"aime", "aime", "aimons", "aimez", "aiment"}, not_person},
    Verb{"know",
         "knows",
         "",
         {"connais", "connaît", "connaissons", "connaissez", "connaissent"}},
    Verb{"find", "finds", "", {"trouve", "trouve", "trouvons", "trouvez", "trouvent"}},
    Verb{"buy", "buys", "", {"achète", "achète", "achetons", "achetez", "achètent"}, thing},
    Verb{"sell", "sells", "", {"vends", "vend", "vendons", "vendez", "vendent"}, thing},
    Verb{"draw", "draws", "", {"dessine", "dessine", "dessinons", "dessinez", "dessinent"}},
    Verb{"follow", "follows", "", {"suis", "suit", "suivons", "suivez", "suivent"}, not_person},
    Verb{"look", "looks", "for", {"cherche", "cherche", "cherchons", "cherchez", "cherchent"}},
    Verb{"listen", "listens", "to", {"écoute", "écoute", "écoutons", "écoutez", "écoutent"}},
};

/// The verbs without an object.
inline constexpr std::array intransitive_verbs = {
    Verb{"sleep", "sleeps", "", {"dors", "dort", "dormons", "dormez", "dorment"}, thing},
    Verb{"work",
         "works",
         "",
         {"travaille", "travaille", "travaillons", "travaillez", "travaillent"}},
    Verb{"sing", "sings", "", {"chante", "chante", "chantons", "chantez", "chantent"}},
    Verb{"smile", "smiles", "", {"souris", "sourit", "sourions", "souriez", "sourient"}},
    Verb{"walk", "walks", "", {"marche", "marche", "marchons", "marchez", "marchent"}},
    Verb{"arrive", "arrives", "", {"arrive", "arrive", "arrivons", "arrivez", "arrivent"}},
};

/// The verbs with an object behind "à".
inline constexpr std::array indirect_verbs = {
    IndirectVerb{
        {"speak", "speaks", "", {"parle", "parle", "parlons", "parlez", "parlent"}, living},
        "to"},
    IndirectVerb{{"think", "thinks", "", {"pense", "pense", "pensons", "pensez", "pensent"}},
                 "about"},
    IndirectVerb{{"obey",
                  "obeys",
                  "",
                  {"obéis", "obéit", "obéissons", "obéissez", "obéissent"},
                  ruler | animal},
                 ""},
};

/// The verbs with an object and a receiver behind "à".
inline constexpr std::array giving_verbs = {
    Verb{"give", "gives", "", {"donne", "donne", "donnons", "donnez", "donnent"}},
};

/// The verbs with a clause behind "que".
inline constexpr std::array saying_verbs = {
    Verb{"say", "says", "", {"dis", "dit", "disons", "dites", "disent"}},
    Verb{"believe", "believes", "", {"crois", "croit", "croyons", "croyez", "croient"}},
};

/// The pronouns that act.
inline constexpr std::array subject_pronouns = {
    SubjectPronoun{"i", "je", Person::first_singular, Gender::masculine, Number::singular},
    SubjectPronoun{"he", "il", Person::third_singular, Gender::masculine, Number::singular},
    SubjectPronoun{"she", "elle", Person::third_singular, Gender::feminine, Number::singular},
    SubjectPronoun{"we", "nous", Person::first_plural, Gender::masculine, Number::plural},
    SubjectPronoun{"you", "vous", Person::second_plural, Gender::masculine, Number::plural},
    SubjectPronoun{"they", "ils", Person::third_plural, Gender::masculine, Number::plural},
};

/// The pronouns that something is done to.
inline constexpr std::array clitics = {
    Clitic{"me", "me", Person::first_singular},   Clitic{"him", "le", Person::third_singular},
    Clitic{"her", "la", Person::third_singular},  Clitic{"us", "nous", Person::first_plural},
    Clitic{"you", "vous", Person::second_plural}, Clitic{"them", "les", Person::third_plural},
};

/// Articles, demonstratives and possessives.
inline constexpr std::array determiners = {
    Determiner{"the", {"le", "la", "les", "les"}, 5, Article::definite},
    Determiner{"a", {"un", "une", "", ""}, 2, Article::indefinite},
    Determiner{"some", {"", "", "des", "des"}, 2, Article::indefinite},
    Determiner{"this", {"ce", "cette", "", ""}, 1, Article::none},
    Determiner{"these", {"", "", "ces", "ces"}, 1, Article::none},
    Determiner{"my", {"mon", "ma", "mes", "mes"}, 1, Article::none},
    Determiner{"his", {"son", "sa", "ses", "ses"}, 1, Article::none},
    Determiner{"her", {"son", "sa", "ses", "ses"}, 1, Article::none},
    Determiner{"our", {"notre", "notre", "nos", "nos"}, 1, Article::none},
    Determiner{"their", {"leur", "leur", "leurs", "leurs"}, 1, Article::none},
};

/// How often something is done; "often" and "always", which go with "not", stand first.
inline constexpr std::array frequency_adverbs = {
    Pair{"often", "souvent"},
    Pair{"always", "toujours"},
    Pair{"rarely", "rarement"},
    Pair{"sometimes", "parfois"},
};

/// Where, when and with whom; "together" stands last.
inline constexpr std::array closing_adverbs = {
    Pair{"here", "ici"},
    Pair{"today", "aujourd'hui"},
    Pair{"together", "ensemble"},
};

/// Prepositions; "for" stands last.
inline constexpr std::array prepositions = {
    Preposition{"with", "avec", any_kind},
    Preposition{"behind", "derrière", any_kind},
    Preposition{"under", "sous", thing},
    Preposition{"in", "dans", thing},
    Preposition{"without", "sans", any_kind, false, false},
    Preposition{"near", "près", any_kind, true, false},
    Preposition{"for", "pour", any_kind},
};

/// Between clauses; "and" stands first.
inline constexpr std::array conjunctions = {
    Conjunction{"and", "et"},
    Conjunction{"but", "mais"},
    Conjunction{"because", "parce", "que"},
    Conjunction{"when", "quand"},
    Conjunction{"if", "si"},
};

/// "be", the one verb that English inflects for more than one person.
/// \returns am, is or are
constexpr std::string_view english_be(Person subject)
{
    return subject == Person::first_singular   ? "am"
           : subject == Person::third_singular ? "is"
                                               : "are";
}

/// "être".
/// \returns suis, est, sommes, êtes or sont
constexpr std::string_view french_be(Person subject)
{
    constexpr std::array<std::string_view, n_persons> forms = {"suis", "est", "sommes", "êtes",
                                                               "sont"};
    return forms[static_cast<std::size_t>(subject)];
}

} // namespace attn::text::lexicon
