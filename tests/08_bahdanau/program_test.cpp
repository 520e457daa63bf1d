/// \file
/// \brief The program of chapter 8: one clear sentence for what it cannot use, a sentence and a
/// corpus of a reader's, a translator that is kept, and the same output from the same seed.
#include "tests/common/translation/translator_program.hpp"
#include "tests/support/committed_table.hpp"

using namespace attn::testing;

TEST_CASE("bad options and files end in one sentence and exit code 2", "[08][bad_input]")
{
    std::vector<BadInputCase> cases = refused_by_translators();
    cases.insert(
        cases.end(),
        {{"an unknown option", "", {"--head", "1"}, {"--head"}},
         {"an unknown kind", "", {"--kind", "cosine"}, {"--kind", "cosine"}},
         {"a kind for nobody", "", {"--kind", "dot_after"}, {"--kind"}},
         {"longer trainings beside one translator",
          "",
          {"--longer", "--translate", "i see ."},
          {"--longer", "--translate"}},
         {"longer trainings, and none", "", {"--longer", "--untrained"}, {"--longer"}},
         {"the usual steps of nothing", "", {"--untrained", "--steps", "640"}, {"--steps"}}});
    for (const BadInputCase& bad : cases) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("words without a number are named before the training", "[08][bad_input]")
{
    for (const BadInputCase& bad : unreadable_sentences()) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("--help says how long trainings are", "[08]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--help"});
    CHECK_THAT(run.out, contains("default: 640;") && contains("4000;") && contains("3000)"));
}

TEST_CASE("sentences of standard input are translated, a line each", "[08][train]")
{
    check_lines(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[08]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("the translator that a reader asks for translates", "[08][train]")
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

TEST_CASE("the trace writes no file", "[08]")
{
    const std::string trace = checked_trace(ATTN_PROGRAM);
    CHECK_THAT(trace, contains("scores [batch = 2, n_source = 3]: w . t"));
    // The page's example: scores, weights and context of the first state.
    CHECK_THAT(trace, contains("\n  0.9640  1.5232  1.9591\n"));
    CHECK_THAT(trace, contains("\n  0.1833  0.3207  0.4959\n"));
    CHECK_THAT(trace, contains("\n  1.1752  1.3126\n"));
    CHECK_THAT(trace, contains("\n  0.2447  0.0900  0.6652\n"));
}

TEST_CASE("same seed, same output, with any number of threads", "[08][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("longer trainings take four and ten times the steps", "[08][train]")
{
    const ScratchFolder scratch;
    const ProgramRun run = run_program(ATTN_PROGRAM, {"--quick", "--longer"}, scratch.path());
    CHECK(run.exit_code == 0);
    for (const char* training : {"\n8 steps ", "\n32 steps ", "\n80 steps "}) {
        CHECK_THAT(run.out, contains(training));
    }
    CHECK_THAT(run.out, contains("trained_longer.csv"));
}

TEST_CASE("without the trainings nothing is said of them", "[08]")
{
    check_untrained(ATTN_PROGRAM, "The frozen-state test");
}
