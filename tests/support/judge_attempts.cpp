/// \file
/// \brief Judges the tests of a `your_turn.hpp`: right functions pass them all, and each
/// typical mistake fails with the message that it should meet. The case is hidden, since the
/// program runs itself once for each mistake, and then the other cases count.
#include "tests/support/attempts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

namespace {

using namespace attn::testing;

/// Without white space: Catch2 breaks a message into lines where it likes.
std::string squeezed(const std::string& text)
{
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](unsigned char character) { return std::isspace(character) == 0; });
    return result;
}

/// Runs the tests against the attempts with one mistake, or with none.
ProgramRun judged(const std::optional<std::string>& mistake)
{
    const char* const program = std::getenv("ATTN_ATTEMPTS_PROGRAM");
    REQUIRE(program != nullptr);
    const WithEnvironment choice("ATTN_MISTAKE", mistake);
    return run_program(program, {}, std::filesystem::current_path());
}

} // namespace

TEST_CASE("right functions pass, a mistake is told", "[.][judge]")
{
    const ProgramRun right = judged(std::nullopt);
    {
        INFO("without a mistake:\n" << right.out << right.err);
        CHECK(right.err == "");
        CHECK(right.exit_code == 0);
        CHECK(right.out.find("All tests passed") != std::string::npos);
    }
    INFO("the chapter's tests need mistakes: docs/adding_a_chapter.md");
    REQUIRE_FALSE(Mistake::all().empty());
    for (const Mistake* mistake : Mistake::all()) {
        const ProgramRun run = judged(mistake->name);
        INFO(mistake->name << ", was judged:\n" << run.out);
        CHECK(run.err == "");
        CHECK(run.exit_code != 0);
        REQUIRE_FALSE(mistake->message.empty());
        const bool is_told =
            squeezed(run.out).find(squeezed(mistake->message)) != std::string::npos;
        CHECK(is_told);
        std::printf("%s: %s \"... %s ...\"\n", mistake->name.c_str(),
                    is_told ? "told" : "NOT TOLD", mistake->message.c_str());
    }
}
