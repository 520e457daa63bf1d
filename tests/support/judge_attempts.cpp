/// \file
/// \brief Judges the tests of a `your_turn.hpp`: the right attempt passes them all, and each
/// wrong one fails with the message that it should meet. The case is hidden, since the program
/// runs itself once for each attempt, and then the other cases count.
#include "tests/support/environment.hpp"
#include "tests/support/attempts.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>

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

/// Runs the tests against one attempt.
ProgramRun judged(const std::string& program, const AttemptEntry& attempt)
{
    const WithEnvironment choice("ATTN_ATTEMPT", attempt.function + "/" + attempt.name);
    return run_program(program, {}, std::filesystem::current_path());
}

} // namespace

TEST_CASE("a right attempt passes, a wrong one is told why", "[.][judge]")
{
    const char* const program = std::getenv("ATTN_ATTEMPTS_PROGRAM");
    REQUIRE(program != nullptr);
    {
        INFO("the chapter's tests need attempts, right and wrong: docs/adding_a_chapter.md");
        REQUIRE_FALSE(all_attempts().empty());
    }

    for (const AttemptEntry& attempt : all_attempts()) {
        const ProgramRun run = judged(program, attempt);
        INFO(attempt.function << ", " << attempt.name << ", was judged:\n" << run.out);
        CHECK(run.err == "");
        if (attempt.name == "right") {
            const bool passes = run.out.find("All tests passed") != std::string::npos;
            CHECK(passes);
            std::printf("%s, right: %s\n", attempt.function.c_str(),
                        passes ? "passes" : "FAILS");
        } else {
            CHECK(run.exit_code != 0);
            REQUIRE_FALSE(attempt.judge_says.empty());
            const bool is_told_why =
                squeezed(run.out).find(squeezed(attempt.judge_says)) != std::string::npos;
            CHECK(is_told_why);
            std::printf("%s, %s: %s \"... %s ...\"\n", attempt.function.c_str(),
                        attempt.name.c_str(), is_told_why ? "told" : "NOT TOLD",
                        attempt.judge_says.c_str());
        }
    }
}
