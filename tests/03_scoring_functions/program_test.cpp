/// \file
/// \brief The program of chapter 3: its options, and one clear sentence for what it cannot use.
#include "tests/support/catch.hpp"
#include "tests/support/program_checks.hpp"

#include <string>
#include <vector>

using namespace attn::testing;

TEST_CASE("bad options end in one sentence and exit code 2", "[03][bad_input]")
{
    const std::vector<BadInputCase> cases = {
        {"a size of zero",
         "",
         {"--d", "0"},
         {"--d: must be whole numbers from 1 to 4096, got 0"}},
        {"half a number", "", {"--d", "2.5"}, {"got 2.5"}},
        {"a negative size", "", {"--d", "-3"}, {"got -3"}},
        {"a size of nan", "", {"--d", "4,nan"}, {"--d"}},
        {"an empty size", "", {"--d", "4,,5"}, {"--d"}},
        {"a size too large", "", {"--d", "4097"}, {"got 4097"}},
        {"a size beyond all integers", "", {"--d", "1e300"}, {"got 1e+300"}},
        {"one key", "", {"--keys", "1"}, {"--keys"}},
        {"a number of keys that is none", "", {"--keys", "none"}, {"--keys"}},
        {"too many keys", "", {"--keys", "5000"}, {"--keys: must be at most 4096, got 5000"}},
        {"a trace of another size", "", {"--trace", "--d", "4"}, {"--trace"}},
        {"an unknown option", "", {"--dimension", "4"}, {"--dimension"}},
    };
    for (const BadInputCase& bad : cases) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("own sizes print their table and nothing else", "[03]")
{
    const ProgramRun result =
        run_leaving_nothing(ATTN_PROGRAM, {"--d", "3,77", "--keys", "10", "--quick"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, contains("\n 3 "));
    CHECK_THAT(result.out, contains("\n77 "));
    CHECK_THAT(result.out, contains("share of ln 10,"));
    CHECK_THAT(result.out, !contains("Gaussian"));
}

TEST_CASE("same seed, same output, with any number of threads, and another with another seed",
          "[03][property]")
{
    const std::string one = quick_output(ATTN_PROGRAM, "2", "1");
    CHECK(one == quick_output(ATTN_PROGRAM, "2", "2"));
    CHECK(one != quick_output(ATTN_PROGRAM, "3", "2"));
}
