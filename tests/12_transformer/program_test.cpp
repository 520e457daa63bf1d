/// \file
/// \brief The program of chapter 12: a sentence and a corpus of a reader's, and a transformer
/// that is kept.
#include "tests/common/translation/translator_program.hpp"
#include "tests/support/committed_table.hpp"

using namespace attn::testing;

TEST_CASE("sentences of standard input are translated, a line each", "[12][train]")
{
    check_lines(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[12]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("the translator that a reader asks for translates", "[12][long]")
{
    check_translates(ATTN_PROGRAM, committed_text("one_sentence.txt"));
}

TEST_CASE("Ctrl-C keeps what was learnt so far, and the training goes on", "[12][train]")
{
    check_stopped_training(ATTN_PROGRAM, 100);
}

TEST_CASE("a reader's sentence is translated, again from a file, and a corpus both ways",
          "[12][train]")
{
    CHECK_THAT(check_saved_sentence(ATTN_PROGRAM),
               contains("mean of the heads") && contains("head 4"));
    // A word that a corpus does not have is read as an unknown one, if asked for.
    CHECK_THAT(check_readers_corpus(ATTN_PROGRAM,
                                    {"--min-frequency", "2", "--translate", "red zebra ."}),
               contains("Read as unknown words: zebra."));
    CHECK_THAT(check_readers_corpus(ATTN_PROGRAM, {"--reversed"}),
               contains("The loss is smoothed: with"));
}
