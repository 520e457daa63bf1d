/// \file
/// \brief The program of chapter 10: one clear sentence for what it cannot use, and the answer to a
/// reader's story.
#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"

#include <string>

using namespace attn::testing;

TEST_CASE("bad options and stories end in one sentence and exit code 2", "[10][bad_input]")
{
    const std::vector<std::string> story = {"--story", "table.csv"};
    std::string many;
    for (int i = 0; i < 51; ++i) {
        many += "Anna went to the hall. ";
    }
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--persons", "5"}, {"--persons"}},
             {"a story that is not there", "", {"--story", "nothing.txt"}, {"nothing.txt"}},
             {"an empty story", "", story, {"table.csv", "Where is"}},
             {"an empty standard input", "", {"--story", "-"}, {"standard input", "Where is"}},
             {"no question", "Anna went to the hall.", story, {"table.csv", "Where is"}},
             {"no sentence", "Where is Anna?", story, {"table.csv", "sentence"}},
             {"an unknown verb",
              "Anna flew to the hall. Where is Anna?",
              story,
              {"table.csv, sentence 1", "'flew'"}},
             {"an unknown person",
              "Anna went to the hall. Where is Emma?",
              story,
              {"sentence 2", "'emma'"}},
             {"a question for a place",
              "Anna went to the hall. Where is the hall?",
              story,
              {"sentence 2", "neither"}},
             {"another question",
              "Anna went to the hall. Where did Anna go?",
              story,
              {"sentence 2", "Where is Anna?"}},
             {"a question for yes or no",
              "Anna took an apple. Is Anna in the hall?",
              story,
              {"sentence 2", "Where is Anna?"}},
             {"two words", "Anna went. Where is Anna?", story, {"sentence 1", "Anna went to"}},
             {"a place that is taken",
              "Anna took the hall. Where is Anna?",
              story,
              {"sentence 1", "Anna went to"}},
             {"somebody goes to an object",
              "Anna went to the lamp. Where is Anna?",
              story,
              {"sentence 1", "Anna went to"}},
             {"taken twice",
              "Ben took the lamp. Anna took the lamp. Where is Anna?",
              story,
              {"sentence 2", "Ben has it"}},
             {"dropped without having it",
              "Anna dropped the lamp. Where is Anna?",
              story,
              {"sentence 1", "Anna does not have it"}},
             {"something after the question",
              "Anna went to the hall. Where is Anna? Ben went to the hall.",
              story,
              {"sentence 3", "follow the question"}},
             {"a long story", many + "Where is Anna?", story, {"sentence 51", "50"}},
             {"bytes that are no text",
              "Anna w\xff\x01nt to the hall. Where is Anna?",
              story,
              {"sentence 1", "not known"}},
             {"no steps", "", {"--steps", "0"}, {"--steps"}},
             {"no steps of the GRU", "", {"--gru-steps", "0"}, {"--gru-steps"}},
             {"an example with a story",
              "Anna went to the hall. Where is Anna?",
              {"--trace", "--story", "table.csv"},
              {"--trace"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("a reader's story is answered, with the gates of every sentence", "[10][train]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "story.txt",
                              "Anna went to the kitchen.\nBen travelled to the garden.\n"
                              "Anna picked up the apple.\nAnna moved to the office.\n"
                              "Where is the apple?\n");
    const ProgramRun run = run_program(ATTN_PROGRAM, {"--story", "story.txt"}, scratch.path());
    REQUIRE(run.exit_code == 0);
    CHECK_THAT(run.out, contains("Anna picked up the apple."));
    CHECK_THAT(run.out, contains("The network answers: in the office"));
    CHECK_THAT(run.out, contains("By the rules: in the office."));
}

TEST_CASE("a story that does not say is told so", "[10]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "story.txt",
                              "Anna took the apple. Where is the apple?");
    const ProgramRun run =
        run_program(ATTN_PROGRAM, {"--story", "story.txt", "--quick"}, scratch.path());
    REQUIRE(run.exit_code == 0);
    CHECK_THAT(run.out, contains("the story does not say"));
}

TEST_CASE("the trace writes no file", "[10]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM), contains("g [n_slots = 3]") && contains("0.8808") &&
                                                contains("0.2577  0.3626  0.3797"));
}

TEST_CASE("same seed, same output, with any number of threads", "[10][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[10]")
{
    check_untrained(ATTN_PROGRAM, "A story of each task");
}
