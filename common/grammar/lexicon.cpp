#include "common/grammar/lexicon.hpp"

namespace attn::text::lexicon {

namespace {

constexpr std::array living_noun_table = {
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

constexpr std::array thing_noun_table = {
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

constexpr std::array prenominal_table = {
    Adjective{"small", {"petit", "petite", "petits", "petites"}, any_kind},
    Adjective{"big", {"grand", "grande", "grands", "grandes"}, any_kind},
    Adjective{"young", {"jeune", "jeune", "jeunes", "jeunes"}, any_kind},
    Adjective{"good", {"bon", "bonne", "bons", "bonnes"}, not_person},
    Adjective{"old", {"vieux", "vieille", "vieux", "vieilles"}, not_child, "vieil"},
    Adjective{"beautiful", {"beau", "belle", "beaux", "belles"}, not_person, "bel"},
};

constexpr std::array postnominal_table = {
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

constexpr std::array transitive_table = {
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

constexpr std::array intransitive_table = {
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

constexpr std::array indirect_table = {
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

constexpr std::array giving_table = {
    Verb{"give", "gives", "", {"donne", "donne", "donnons", "donnez", "donnent"}},
};

constexpr std::array saying_table = {
    Verb{"say", "says", "", {"dis", "dit", "disons", "dites", "disent"}},
    Verb{"believe", "believes", "", {"crois", "croit", "croyons", "croyez", "croient"}},
};

constexpr std::array subject_pronoun_table = {
    SubjectPronoun{"i", "je", Person::first_singular, Gender::masculine, Number::singular},
    SubjectPronoun{"he", "il", Person::third_singular, Gender::masculine, Number::singular},
    SubjectPronoun{"she", "elle", Person::third_singular, Gender::feminine, Number::singular},
    SubjectPronoun{"we", "nous", Person::first_plural, Gender::masculine, Number::plural},
    SubjectPronoun{"you", "vous", Person::second_plural, Gender::masculine, Number::plural},
    SubjectPronoun{"they", "ils", Person::third_plural, Gender::masculine, Number::plural},
};

constexpr std::array clitic_table = {
    Clitic{"me", "me", Person::first_singular},   Clitic{"him", "le", Person::third_singular},
    Clitic{"her", "la", Person::third_singular},  Clitic{"us", "nous", Person::first_plural},
    Clitic{"you", "vous", Person::second_plural}, Clitic{"them", "les", Person::third_plural},
};

constexpr std::array determiner_table = {
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

constexpr std::array frequency_table = {
    Pair{"often", "souvent"},
    Pair{"always", "toujours"},
    Pair{"rarely", "rarement"},
    Pair{"sometimes", "parfois"},
};

constexpr std::array closing_table = {
    Pair{"here", "ici"},
    Pair{"today", "aujourd'hui"},
    Pair{"together", "ensemble"},
};

constexpr std::array preposition_table = {
    Preposition{"with", "avec", any_kind},
    Preposition{"behind", "derrière", any_kind},
    Preposition{"under", "sous", thing},
    Preposition{"in", "dans", thing},
    Preposition{"without", "sans", any_kind, false, false},
    Preposition{"near", "près", any_kind, true, false},
    Preposition{"for", "pour", any_kind},
};

constexpr std::array conjunction_table = {
    Conjunction{"and", "et"},
    Conjunction{"but", "mais"},
    Conjunction{"because", "parce", "que"},
    Conjunction{"when", "quand"},
    Conjunction{"if", "si"},
};

} // namespace

// Constant from the start, so that no other static object can meet them empty.
constinit const std::span<const Noun> living_nouns = living_noun_table;
constinit const std::span<const Noun> thing_nouns = thing_noun_table;
constinit const std::span<const Adjective> prenominal_adjectives = prenominal_table;
constinit const std::span<const Adjective> postnominal_adjectives = postnominal_table;
constinit const std::span<const Verb> transitive_verbs = transitive_table;
constinit const std::span<const Verb> intransitive_verbs = intransitive_table;
constinit const std::span<const IndirectVerb> indirect_verbs = indirect_table;
constinit const std::span<const Verb> giving_verbs = giving_table;
constinit const std::span<const Verb> saying_verbs = saying_table;
constinit const std::span<const SubjectPronoun> subject_pronouns = subject_pronoun_table;
constinit const std::span<const Clitic> clitics = clitic_table;
constinit const std::span<const Determiner> determiners = determiner_table;
constinit const std::span<const Pair> frequency_adverbs = frequency_table;
constinit const std::span<const Pair> closing_adverbs = closing_table;
constinit const std::span<const Preposition> prepositions = preposition_table;
constinit const std::span<const Conjunction> conjunctions = conjunction_table;

std::string_view english_be(Person subject)
{
    switch (subject) {
    case Person::first_singular:
        return "am";
    case Person::third_singular:
        return "is";
    default:
        return "are";
    }
}

std::string_view french_be(Person subject)
{
    constexpr std::array<std::string_view, n_persons> forms = {"suis", "est", "sommes", "êtes",
                                                               "sont"};
    return forms[static_cast<std::size_t>(subject)];
}

} // namespace attn::text::lexicon
