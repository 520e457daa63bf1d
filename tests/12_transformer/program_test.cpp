/// \file
/// \brief The program of chapter 12: one clear sentence for what it cannot use, a sentence and
/// a corpus of a reader's, a transformer that is kept, and the same output from the same seed.
#include "tests/common/program/environment.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/run_interrupted.hpp"

#include <fmt/format.h>
#include <fstream>

using namespace attn::testing;

namespace {

/// Pairs of a language in which everything is turned round.
std::string corpus_of(std::size_t n)
{
    std::string text;
    const std::vector<std::string> words = {"red", "car", "big", "house", "old", "tree"};
    for (std::size_t i = 0; i < n; ++i) {
        const std::string& a = words[i % 6];
        const std::string& b = words[(i / 6) % 6];
        const std::string& c = words[(i / 36) % 6];
        text += fmt::format("{} {} {} .\t{}o {}o {}o .\n", a, b, c, c, b, a);
    }
    return text;
}

} // namespace

TEST_CASE("bad options and files end in one sentence and exit code 2", "[12][bad_input]")
{
    const std::vector<std::string> corpus = {"--corpus", "table.csv"};
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--layers", "2"}, {"--layers"}},
             {"no steps", "", {"--steps", "0"}, {"--steps"}},
             {"no seeds", "", {"--seeds", "0"}, {"--seeds"}},
             {"steps of nothing", "", {"--untrained", "--steps", "7"}, {"--steps"}},
             {"kept as a folder",
              "",
              {"--translate", "a", "--save", "/"},
              {"--save", "folder"}},
             {"the trace and a sentence", "", {"--trace", "--translate", "a"}, {"--trace"}},
             {"a sentence and seeds", "", {"--translate", "a", "--seeds", "2"}, {"--seeds"}},
             {"load and save",
              "",
              {"--load", "table.csv", "--save", "a", "--translate", "a"},
              {"--load", "--save"}},
             {"load without a sentence", "", {"--load", "table.csv"}, {"--translate"}},
             {"no such translator",
              "",
              {"--load", "none.safetensors", "--translate", "a"},
              {"none.safetensors"}},
             {"no translator at all",
              "nothing",
              {"--load", "table.csv", "--translate", "a"},
              {"table.csv"}},
             {"nowhere to keep it",
              "",
              {"--translate", "a", "--save", "no/where.safetensors"},
              {"--save", "no/where.safetensors", "folder is missing"}},
             {"a file as a folder",
              "",
              {"--save", "table.csv/kept.safetensors"},
              {"--save", "cannot be written"}},
             {"a closed folder",
              "",
              {"--save", "/proc/kept.safetensors"},
              {"--save", "closed"}},
             {"nowhere to keep it, and a corpus",
              corpus_of(216),
              {"--corpus", "table.csv", "--save", "no/where.safetensors"},
              {"--save", "no/where.safetensors"}},
             {"a training taken up for nothing",
              "",
              {"--resume", "table.csv"},
              {"--resume", "--translate"}},
             {"no such training",
              "",
              {"--resume", "none.safetensors", "--save", "a"},
              {"none.safetensors"}},
             {"load and resume",
              "",
              {"--load", "table.csv", "--resume", "a", "--translate", "a"},
              {"--load", "--resume"}},
             {"the usual steps of nothing", "", {"--untrained", "--steps", "350"}, {"--steps"}},
             {"no corpus", "", {"--corpus", "none.txt"}, {"none.txt"}},
             {"options of a corpus alone", "", {"--reversed"}, {"--corpus"}},
             {"a corpus without a tab", "one column\n", corpus, {"table.csv"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("words without a number are named before the training", "[12][bad_input]")
{
    const std::string for_ever = "100000000"; // steps: nobody waits for these
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"words that the grammar does not have",
              "",
              {"--steps", for_ever, "--translate", "the zebra eats a gnu ."},
              {"--translate", "zebra, eats, gnu"}},
             {"no words", "", {"--steps", for_ever, "--translate", " ( )"}, {"no words"}},
             {"words that a corpus does not have",
              corpus_of(216),
              {"--corpus", "table.csv", "--translate", "red zebra ."},
              {"--translate", "zebra"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("--help says how long trainings are", "[12]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--help"});
    CHECK_THAT(run.out, contains("default: 350; with --corpus"));
    CHECK_THAT(run.out, contains("3000)"));
}

TEST_CASE("Ctrl-C keeps what was learnt so far, and the training goes on", "[12][train]")
{
    const ScratchFolder scratch;
    const auto with = [](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"--steps", "100"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    const ProgramRun stopped =
        run_interrupted(ATTN_PROGRAM, with({"--save", "kept.safetensors"}), scratch.path());
    INFO(stopped.err);
    REQUIRE(stopped.exit_code == 130);
    CHECK_THAT(stopped.err, contains("was interrupted after step"));
    CHECK_THAT(stopped.err, contains("of 100; --resume 'kept.safetensors' goes on from there, "
                                     "and --load translates with what was learnt so far"));
    CHECK(std::count(stopped.err.begin(), stopped.err.end(), '\n') == 1);
    const ProgramRun early =
        run_program(ATTN_PROGRAM, {"--load", "kept.safetensors", "--translate", "the king ."},
                    scratch.path());
    CHECK(early.exit_code == 0);
    const ProgramRun other_steps = run_program(
        ATTN_PROGRAM, {"--steps", "90", "--resume", "kept.safetensors", "--save", "again"},
        scratch.path());
    CHECK(other_steps.exit_code == 2);
    CHECK_THAT(other_steps.err, contains("steps"));

    const ProgramRun resumed =
        run_program(ATTN_PROGRAM, with({"--resume", "kept.safetensors", "--save", "again"}),
                    scratch.path());
    CHECK(resumed.exit_code == 0);
    const ProgramRun whole =
        run_program(ATTN_PROGRAM, with({"--save", "whole"}), scratch.path());
    CHECK(whole.exit_code == 0);
    CHECK(attn::program::read_file(scratch.path() / "again") ==
          attn::program::read_file(scratch.path() / "whole"));
}

TEST_CASE("a reader's sentence is translated, and again from a file", "[12][train]")
{
    const ScratchFolder scratch;
    const std::string sentence = "the king 's red car is here .";
    const ProgramRun first = run_program(
        ATTN_PROGRAM, {"--quick", "--translate", sentence, "--save", "kept.safetensors"},
        scratch.path());
    CHECK(first.exit_code == 0);
    CHECK_THAT(first.out, contains("mean of the heads"));
    CHECK_THAT(first.out, contains("head 4"));
    CHECK_THAT(first.out, contains("translation ↓  source →"));
    const ProgramRun second = run_program(
        ATTN_PROGRAM, {"--load", "kept.safetensors", "--translate", sentence}, scratch.path());
    CHECK(second.exit_code == 0);
    CHECK_THAT(second.out, contains("translation ↓  source →"));
    CHECK(first.out.substr(first.out.find("Your sentence")) ==
          second.out.substr(second.out.find("Your sentence")));
}

TEST_CASE("a reader's corpus, in both directions", "[12][train]")
{
    for (const bool reversed : {false, true}) {
        const ScratchFolder scratch;
        std::ofstream(scratch.path() / "pairs.txt") << corpus_of(216);
        std::vector<std::string> arguments = {"--quick", "--corpus", "pairs.txt"};
        if (reversed) {
            arguments.push_back("--reversed");
        }
        const ProgramRun run = run_program(ATTN_PROGRAM, arguments, scratch.path());
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        CHECK_THAT(run.out, contains("BLEU"));
        CHECK_THAT(run.out, contains("reference"));
        CHECK_THAT(run.out, contains("The loss is smoothed: with"));
        CHECK_THAT(run.out, contains("trained_readers_losses.csv"));
    }
}

TEST_CASE("the trace writes no file", "[12]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--trace"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains("scores [n_target = 2, n_source = 3]: norm(x) . m / root 2"));
}

TEST_CASE("same seed, same output, with any number of threads", "[12][train]")
{
    CHECK(quick_output(ATTN_PROGRAM, "2", "1") == quick_output(ATTN_PROGRAM, "2", "2"));
}

TEST_CASE("without the trainings nothing is said of them", "[12]")
{
    const ScratchFolder scratch;
    const ProgramRun run = run_program(ATTN_PROGRAM, {"--untrained"}, scratch.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("Where the parameters sit"));
    CHECK_THAT(run.out, !contains("Trained in float"));
    CHECK_THAT(run.out, !contains("trained_"));
}
