/// \file
/// \brief The program of chapter 12: one clear sentence for what it cannot use, a sentence and
/// a corpus of a reader's, a transformer that is kept.
#include "tests/common/translation/translator_program.hpp"
#include "tests/support/committed_table.hpp"

using namespace attn::testing;

TEST_CASE("bad options and files end in one sentence and exit code 2", "[12][bad_input]")
{
    std::vector<BadInputCase> cases = refused_by_translators();
    cases.insert(
        cases.end(),
        {{"an unknown option", "", {"--layers", "2"}, {"--layers"}},
         {"the usual steps of nothing", "", {"--untrained", "--steps", "350"}, {"--steps"}}});
    for (const BadInputCase& bad : cases) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("words without a number are named before the training", "[12][bad_input]")
{
    for (const BadInputCase& bad : unreadable_sentences()) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("--help says how long trainings are", "[12]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--help"});
    CHECK_THAT(run.out, contains("default: 350;") && contains("4000;") && contains("3000)"));
}

TEST_CASE("sentences of standard input are translated, a line each", "[12][train]")
{
    check_lines(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[12]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("the translator that a reader asks for translates", "[12][train]")
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

TEST_CASE("the trace writes no file", "[12]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM),
               contains("scores [n_target = 2, n_source = 3]: norm(x) . m / root 2"));
}

TEST_CASE("without the trainings nothing is said of them", "[12]")
{
    check_untrained(ATTN_PROGRAM, "Where the parameters sit");
}
