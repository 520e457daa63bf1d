/// \file
/// \brief What a French word's neighbour does to it: every rule by an example and by one where
/// it must not apply.
#include "common/grammar/morphology.hpp"
#include "common/text/sentence_pair.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace attn::text;
using attn::text::lexicon::Article;

namespace {

/// A word; what it is linked to matters in one test only.
FrenchWord french_word(std::string_view text, Article article = Article::none)
{
    return {text, {0}, {}, article};
}

const FrenchWord article_le = french_word("le", Article::definite);
const FrenchWord article_la = french_word("la", Article::definite);
const FrenchWord article_les = french_word("les", Article::definite);

/// An adjective with a form of its own before a vowel.
FrenchWord with_vowel_form(std::string_view text, std::string_view before_vowel)
{
    return {text, {0}, {}, Article::none, before_vowel};
}

std::string fitted_text(const std::vector<FrenchWord>& words)
{
    Words texts;
    for (const FrenchWord& word : fit_together(words)) {
        texts.emplace_back(word.text);
    }
    return text_of(texts);
}

/// Fits words together of which none is an article.
std::string fitted_plain(const std::string& text)
{
    const Words texts = words_of(text);
    std::vector<FrenchWord> words;
    for (const std::string& word : texts) {
        words.push_back(french_word(word));
    }
    return fitted_text(words);
}

struct PlainExample
{
    std::string before;
    std::string after;
};

struct ArticleExample
{
    std::vector<FrenchWord> words;
    std::string after;
};

} // namespace

TEST_CASE("words lose their vowel or change before a vowel and nowhere else", "[text]")
{
    const std::vector<PlainExample> examples = {
        {"le voit", "le voit"},
        {"le aime", "l' aime"},
        {"la écoute", "l' écoute"},
        {"les aime", "les aime"},
        {"de amis", "d' amis"},
        {"de hommes", "d' hommes"},
        {"de églises", "d' églises"},
        {"de petites églises", "de petites églises"},
        {"il ne est pas ici .", "il n' est pas ici ."},
        {"ne voit", "ne voit"},
        {"que il voit", "qu' il voit"},
        {"que elle voit", "qu' elle voit"},
        {"que je vois", "que je vois"},
        {"parce que un ami", "parce qu' un ami"},
        {"je aime", "j' aime"},
        {"je obéis", "j' obéis"},
        {"je ne aime pas", "je n' aime pas"},
        {"je le aime", "je l' aime"},
        {"je ne la aime pas", "je ne l' aime pas"},
        {"il me écoute", "il m' écoute"},
        {"il me voit", "il me voit"},
        {"si il dort", "s' il dort"},
        {"si ils aiment", "s' ils aiment"},
        {"si elle dort", "si elle dort"},
        {"si une reine", "si une reine"},
        {"ce ami", "cet ami"},
        {"ce hôtel", "cet hôtel"},
        {"ce arbre", "cet arbre"},
        {"ce roi", "ce roi"},
        {"ces amis", "ces amis"},
        {"ma actrice", "mon actrice"},
        {"sa église", "son église"},
        {"ma étrange église", "mon étrange église"},
        {"ma vieille église", "ma vieille église"},
        {"sa voiture", "sa voiture"},
        {"notre ami", "notre ami"},
        {"une actrice", "une actrice"},
        {"de le voir", "de le voir"},
        {"de les voir", "de les voir"},
        {"à le voir", "à le voir"},
        {"à les voir", "à les voir"},
        {"qui est", "qui est"},
        {"", ""},
        {"le", "le"},
        {"de", "de"},
    };
    for (const PlainExample& example : examples) {
        INFO(example.before);
        CHECK(fitted_plain(example.before) == example.after);
    }
}

TEST_CASE("de and a merge with the article, not with the pronoun, and not if it is elided",
          "[text]")
{
    const FrenchWord de = french_word("de");
    const FrenchWord a = french_word("à");
    const FrenchWord king = french_word("roi");
    const FrenchWord friends = french_word("amis");
    const FrenchWord queen = french_word("reine");
    const FrenchWord hotel = french_word("hôtel");
    const FrenchWord actress = french_word("actrice");
    const FrenchWord near = french_word("près");
    const std::vector<ArticleExample> examples = {
        {{de, article_le, king}, "du roi"},
        {{de, article_les, friends}, "des amis"},
        {{a, article_le, king}, "au roi"},
        {{a, article_les, friends}, "aux amis"},
        {{near, de, article_les, friends}, "près des amis"},
        {{de, article_la, queen}, "de la reine"},
        {{a, article_la, queen}, "à la reine"},
        {{de, article_le, hotel}, "de l' hôtel"},
        {{a, article_le, hotel}, "à l' hôtel"},
        {{de, article_la, actress}, "de l' actrice"},
        {{french_word("avec"), article_les, friends}, "avec les amis"},
        {{de, french_word("les"), french_word("vois")}, "de les vois"},
        {{a, french_word("le"), french_word("vois")}, "à le vois"},
    };
    for (const ArticleExample& example : examples) {
        INFO(example.after);
        CHECK(fitted_text(example.words) == example.after);
    }
}

TEST_CASE("adjectives have forms of their own before a vowel", "[text]")
{
    const FrenchWord old = with_vowel_form("vieux", "vieil");
    const FrenchWord fine = with_vowel_form("beau", "bel");
    CHECK(fitted_text({article_le, old, french_word("ami")}) == "le vieil ami");
    CHECK(fitted_text({french_word("un"), fine, french_word("hôtel")}) == "un bel hôtel");
    CHECK(fitted_text({french_word("ce"), old, french_word("arbre")}) == "ce vieil arbre");
    CHECK(fitted_text({article_le, old, french_word("roi")}) == "le vieux roi");
    CHECK(fitted_text({french_word("mes"), french_word("vieux"), french_word("amis")}) ==
          "mes vieux amis");
}

TEST_CASE("a merged word comes from all that its parts came from", "[text]")
{
    const FrenchWord of{"de", {4}};
    const FrenchWord the{"le", {7}, {8}, Article::definite};
    const FrenchWord king{"roi", {8}};
    const std::vector<FrenchWord> words = fit_together({of, the, king});
    REQUIRE(words.size() == 2);
    CHECK(words[0].text == "du");
    CHECK(words[0].sure == EnglishIds{4, 7});
    CHECK(words[0].possible == EnglishIds{8});
    CHECK(words[1].sure == EnglishIds{8});

    // An elided word keeps its links.
    const std::vector<FrenchWord> elided = fit_together({the, {"ami", {9}}});
    CHECK(elided[0].text == "l'");
    CHECK(elided[0].sure == EnglishIds{7});
    CHECK(elided[0].possible == EnglishIds{8});
}

TEST_CASE("vowels are told from consonants, accents and mute h among them", "[text]")
{
    for (const char* word : {"ami", "elle", "ici", "oiseau", "une", "homme", "hôtel", "église",
                             "être", "étrange", "île", "âge", "aujourd'hui"}) {
        INFO(word);
        CHECK(begins_with_vowel(word));
    }
    for (const char* word : {"roi", "près", "ça", "l'", "d'", ".", ""}) {
        INFO(word);
        CHECK_FALSE(begins_with_vowel(word));
    }
}
