/// \file
/// \brief What is said of one translator: how good it is, and which words it knows.
#include "common/translation/one_translator.hpp"

#include "common/program/bad_input.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
using namespace attn::translation;
using namespace attn::testing;

TEST_CASE("the quality of a translator is told in one sentence", "[translation]")
{
    const text::Words right = {"a", "b", "c", "d"};
    const text::Words wrong = {"a", "b", "c", "e"};
    Evaluation evaluation;
    evaluation.translations = {{14, right, right, {}},
                               {14, right, right, {}},
                               {3, wrong, right, {}},
                               {15, wrong, right, {}}};
    CHECK_THAT(quality_of(evaluation),
               contains("Of 4 sentences that it has not seen, this translator gets 50.0 % "
                        "right to the last word (66.7 % of those of up to 14 words); BLEU "));
    evaluation.translations = {{15, right, right, {}}};
    CHECK(quality_of(evaluation) ==
          "Of 1 sentences that it has not seen, this translator gets 100.0 % right to the last "
          "word; BLEU 100.0.");
}

TEST_CASE("a sentence as people write it is read as the grammar writes it", "[translation]")
{
    const TranslationTask& task = small_task();
    const Languages languages{task.source, task.target, text::Normalisation::gentle, 10};
    const text::Words read = {"the", "king", "'s", "red", "car", "is", "here", "."};
    for (const char* sentence :
         {"the king 's red car is here .", "The king's red car is here.",
          "THE KING\u2019S RED CAR IS HERE.", "  the  king's\tred car is here.\r",
          "the king's red car is here"}) {
        CAPTURE(sentence);
        CHECK(words_to_read(languages, sentence) == read);
    }
    const text::Vocabulary without_marks({{"red", 1}, {"car", 1}});
    const Languages other{without_marks, without_marks, text::Normalisation::gentle, 10};
    CHECK(words_to_read(other, "Red car") == text::Words{"red", "car"});
    const text::Vocabulary with_marks({{"red", 1}, {".", 1}, {"!", 1}, {"?", 1}});
    const Languages marked{with_marks, with_marks, text::Normalisation::gentle, 10};
    CHECK(words_to_read(marked, "red!") == text::Words{"red", "!"});
    CHECK(words_to_read(marked, "red?") == text::Words{"red", "?"});
}

TEST_CASE("a word that is not known is named, with those that are spelt nearly so",
          "[translation][bad_input]")
{
    const TranslationTask& task = small_task();
    const Languages languages{task.source, task.target, text::Normalisation::gentle, 10};
    CHECK_THROWS_WITH(words_to_read(languages, "The frend of a zebra's hosue."),
                      "the sentences to learn from have no frend (friend?), zebra, hosue "
                      "(house?)");
    CHECK_THROWS_WITH(
        with_asked_sentence([&] { return words_to_read(languages, "A zebra."); }),
        "--translate: the sentences to learn from have no zebra; --words lists what they have");
    CHECK_THROWS_WITH(with_asked_sentence([&] { return words_to_read(languages, "( )"); }),
                      "--translate: there are no words in the sentence");
}
