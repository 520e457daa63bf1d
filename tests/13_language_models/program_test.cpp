/// \file
/// \brief The program of chapter 13: one clear sentence for what it cannot use; a model of a
/// reader's text that is saved, loaded and writes.
#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"

#include <string>

using namespace attn::testing;

namespace {

/// Some lines of text, a hundred characters each.
std::string long_text(std::size_t n_lines)
{
    std::string text;
    for (std::size_t i = 0; i < n_lines; ++i) {
        text += "the cat sees the dog and the dog sees the cat , but the bird sees neither of "
                "them in the garden .\n";
    }
    return text;
}

} // namespace

TEST_CASE("bad options and files end in one sentence and exit code 2", "[13][bad_input]")
{
    const std::string no_text = "\xef\xbb\xbf"
                                "ab\xff text";
    const std::string utf_16 = "\xff\xfe text";
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--layers", "2"}, {"--layers"}},
             {"a text that is not there", "", {"--text", "nothing.txt"}, {"nothing.txt"}},
             {"a text that is too short", "short", {"--text", "table.csv"}, {"too few"}},
             {"an empty text", "", {"--text", "table.csv"}, {"empty"}},
             {"a text that is none", no_text, {"--text", "table.csv"}, {"byte 5", "UTF-8"}},
             {"another encoding", utf_16, {"--text", "table.csv"}, {"in UTF-16", "table.csv"}},
             {"no model",
              long_text(3),
              {"--load", "table.csv", "--prompt", "a"},
              {"table.csv"}},
             {"two sources",
              long_text(3),
              {"--load", "table.csv", "--text", "table.csv", "--prompt", "a"},
              {"--load"}},
             {"nothing to do with a model",
              "",
              {"--load", "table.csv"},
              {"--load", "--prompt"}},
             {"nothing to explore", "", {"--explore", "a.html"}, {"--explore", "--prompt"}},
             {"nowhere to explore it",
              "",
              {"--prompt", "a", "--explore", "no/a.html"},
              {"--explore", "no/a.html"}},
             {"gaps to explore", "", {"--fill", "[MASK]", "--explore", "a"}, {"--fill"}},
             {"nothing to begin with", "", {"--tokens", "5"}, {"--prompt"}},
             {"two ways to draw",
              "",
              {"--prompt", "a", "--greedy", "--top-k", "3"},
              {"--greedy"}},
             {"a temperature below 0",
              "",
              {"--prompt", "a", "--temperature", "-1"},
              {"--temperature"}},
             {"a share above 1", "", {"--prompt", "a", "--top-p", "1.5"}, {"--top-p"}},
             {"no share", "", {"--prompt", "a", "--top-p", "0"}, {"--top-p"}},
             {"no token", "", {"--prompt", "a", "--top-k", "0"}, {"--top-k"}},
             {"steps of nothing", "", {"--steps", "5"}, {"--steps"}},
             {"no gap", "", {"--fill", "le roi"}, {"--fill", "[MASK]"}},
             {"an unknown word beside a gap", "", {"--fill", "xyz [MASK]"}, {"xyz"}},
             {"gaps and another model",
              "",
              {"--fill", "le [MASK]", "--prompt", "a"},
              {"--fill"}},
             {"an example of a model", "", {"--trace", "--prompt", "a"}, {"--trace"}},
             {"no training of a model",
              "",
              {"--untrained", "--text", "table.csv"},
              {"--untrained"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("a prompt that a text cannot teach is refused", "[13][bad_input]")
{
    check_refused(ATTN_PROGRAM, {"an unknown character",
                                 long_text(20),
                                 {"--text", "table.csv", "--steps", "1", "--prompt", "Zebra"},
                                 {"--prompt: ", "'Z'", "which has '"}});
    check_refused(ATTN_PROGRAM, {"an empty beginning",
                                 long_text(20),
                                 {"--text", "table.csv", "--steps", "1", "--prompt", ""},
                                 {"--prompt"}});
}

TEST_CASE("a model is saved, loaded, and writes the same", "[13][train]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "text.txt", long_text(40));
    const std::vector<std::string> writing = {"--prompt", "the cat ", "--tokens",
                                              "90",       "--top-k",  "5"};
    for (const bool words : {false, true}) {
        std::vector<std::string> training = {"--text", "text.txt", "--steps",
                                             "3",      "--save",   "model.safetensors"};
        if (words) {
            training.emplace_back("--words");
        }
        training.insert(training.end(), writing.begin(), writing.end());
        const ProgramRun first = run_program(ATTN_PROGRAM, training, scratch.path());
        REQUIRE(first.exit_code == 0);
        CHECK_THAT(first.out, contains("loss on the last tenth"));
        std::vector<std::string> loading = {"--load", "model.safetensors", "--explore",
                                            "heads.html"};
        loading.insert(loading.end(), writing.begin(), writing.end());
        const ProgramRun second = run_program(ATTN_PROGRAM, loading, scratch.path());
        REQUIRE(second.exit_code == 0);
        const std::string heading = "Written";
        CHECK(first.out.substr(first.out.find(heading)) ==
              second.out.substr(second.out.find(heading)));
        CHECK_THAT(second.out, contains("the cat "));
        if (!words) { // nothing is said of a prompt before it is refused
            const ProgramRun refused = run_program(
                ATTN_PROGRAM, {"--load", "model.safetensors", "--prompt", "Z"}, scratch.path());
            CHECK(refused.exit_code == 2);
            CHECK(refused.out.empty());
            CHECK_THAT(refused.err, contains("--prompt: there is no token for 'Z'"));
        }
        const std::string page =
            attn::program::read_file(scratch.path() / "heads.html"); // of the prompt
        CHECK_THAT(page, contains(words ? R"("query_words_1": ["the","cat"])"
                                        : R"(["t","h","e"," ","c","a","t"," "])"));
    }
}

TEST_CASE("a word of a prompt that is not known is told, with the nearest known", "[13][train]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "text.txt", long_text(40));
    const ProgramRun run = run_program(ATTN_PROGRAM,
                                       {"--text", "text.txt", "--steps", "1", "--words",
                                        "--prompt", "the catt zzzzzz", "--tokens", "1"},
                                       scratch.path());
    REQUIRE(run.exit_code == 0);
    CHECK_THAT(run.out, contains("'catt' is read as an unknown word; the nearest known: cat") &&
                            contains("'zzzzzz' is read as an unknown word."));
}

TEST_CASE("the trace writes no file", "[13]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM),
               contains("p, top-p 0.7 [n_tokens = 3]") && contains("0.6698  0.3302  0.0000"));
}

TEST_CASE("same seed, same output, with any number of threads", "[13][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[13]")
{
    check_untrained(ATTN_PROGRAM, "A decoder without a source");
}
