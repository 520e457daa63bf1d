/// \file
/// \brief How French words can be read: by hand, and in every sentence that the grammar makes.
#include "common/grammar/readings.hpp"

#include "common/grammar/grammar_corpus.hpp"
#include "tests/support/catch.hpp"

using namespace attn::text;

TEST_CASE("words have the readings that a grammar book gives them", "[text]")
{
    CHECK(agree("la", Category::determiner, "voiture", Category::noun));
    CHECK(agree("ma", Category::determiner, "voiture", Category::noun));
    CHECK_FALSE(agree("le", Category::determiner, "voiture", Category::noun));
    CHECK_FALSE(agree("les", Category::determiner, "voiture", Category::noun));
    CHECK(agree("l'", Category::determiner, "arbre", Category::noun));
    CHECK(agree("l'", Category::determiner, "église", Category::noun));
    CHECK(agree("du", Category::determiner, "roi", Category::noun));
    CHECK_FALSE(agree("du", Category::determiner, "reine", Category::noun));
    CHECK_FALSE(agree("du", Category::determiner, "rois", Category::noun));
    CHECK(agree("vieil", Category::adjective, "ami", Category::noun));
    CHECK_FALSE(agree("vieille", Category::adjective, "ami", Category::noun));
    CHECK(agree("nous", Category::pronoun, "sommes", Category::verb));
    CHECK_FALSE(agree("nous", Category::pronoun, "sont", Category::verb));
    CHECK(can_be("la", Category::pronoun));
    CHECK_FALSE(can_be("voiture", Category::verb));
    CHECK(can_be("ici", Category::other));
    CHECK(readings_of("xyz").empty());
}

TEST_CASE("le, la, les and l' are pronouns before a verb alone", "[text]")
{
    const Words sentence = words_of("le roi la voit .");
    CHECK(category_at(sentence, 0) == Category::determiner);
    CHECK(category_at(sentence, 1) == Category::noun);
    CHECK(category_at(sentence, 2) == Category::pronoun);
    CHECK(category_at(sentence, 3) == Category::verb);
    CHECK(category_at(sentence, 4) == Category::other);
}

TEST_CASE("in every sentence of the grammar a determiner agrees with the noun behind it",
          "[text]")
{
    std::size_t n = 0;
    for (const SentencePair& pair : grammar_corpus(5, {.train = 2000}).train) {
        const Words& words = pair.target;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (category_at(words, i) == Category::determiner &&
                category_at(words, i + 1) == Category::noun) {
                CAPTURE(text_of(words), words[i]);
                REQUIRE(agree(words[i], Category::determiner, words[i + 1], Category::noun));
                ++n;
            }
        }
    }
    CHECK(n > 2000); // more than one a sentence
}
