/// \file
/// \brief The program of chapter 13: a model of a reader's text that is saved, loaded and
/// writes.
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
