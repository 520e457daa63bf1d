/// \file
/// \brief The program of chapter 8: a sentence and a corpus of a reader's, and a translator
/// that is kept.
#include "tests/common/translation/translator_program.hpp"
#include "tests/support/committed_table.hpp"

using namespace attn::testing;

TEST_CASE("sentences of standard input are translated, a line each", "[08][train]")
{
    check_lines(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[08]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("the translator that a reader asks for translates", "[08][long]")
{
    check_translates(ATTN_PROGRAM, committed_text("one_sentence.txt"));
}

TEST_CASE("Ctrl-C keeps what was learnt so far, and the training goes on", "[08][train]")
{
    check_stopped_training(ATTN_PROGRAM, 60, {"--kind", "dot_after"});
}

TEST_CASE("a reader's sentence is translated, and again from a file", "[08][train]")
{
    check_saved_sentence(ATTN_PROGRAM);
}

TEST_CASE("a reader's corpus, in both directions", "[08][train]")
{
    check_readers_corpus(ATTN_PROGRAM);
    check_readers_corpus(ATTN_PROGRAM, {"--reversed"});
}

TEST_CASE("a word that a corpus does not have is read as an unknown one, if asked for",
          "[08][train]")
{
    CHECK_THAT(check_readers_corpus(ATTN_PROGRAM,
                                    {"--min-frequency", "2", "--translate", "red zebra ."}),
               contains("Read as unknown words: zebra."));
}
