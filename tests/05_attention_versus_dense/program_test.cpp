/// \file
/// \brief The program of chapter 5: one clear sentence for what it cannot use, and the same
/// output from the same seed.
#include "tests/support/program_checks.hpp"

using namespace attn::testing;

TEST_CASE("bad options end in one sentence and exit code 2", "[05][bad_input]")
{
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--length", "1"}, {"--length"}},
             {"a seed that is none", "", {"--seed", "-1"}, {"--seed"}},
             {"an output folder that is a file", "", {"--out", "table.csv"}, {"table.csv"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("the trace writes no file", "[05]")
{
    const std::string printed = checked_trace(ATTN_PROGRAM);
    CHECK_THAT(printed, contains("W [n_features = 2, one = 1]"));
    CHECK_THAT(printed, contains("0.2826  0.3587  0.3587"));
}

TEST_CASE("same seed, same output, with any number of threads", "[05][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[05]")
{
    check_untrained(ATTN_PROGRAM, "largest weight", {"--quick"});
}
