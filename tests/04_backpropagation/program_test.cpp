/// \file
/// \brief The program of chapter 4: one clear sentence for what it cannot use, and the same
/// output from the same seed.
#include "tests/support/program_checks.hpp"

using namespace attn::testing;

TEST_CASE("bad options end in one sentence and exit code 2", "[04][bad_input]")
{
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--width", "1"}, {"--width"}},
             {"a seed that is none", "", {"--seed", "-1"}, {"--seed"}},
             {"an output folder that is a file", "", {"--out", "table.csv"}, {"table.csv"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("the trace writes no file", "[04]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM), contains("dQ [n_queries = 2, d = 2]: dS K"));
}

TEST_CASE("same seed, same output, with any number of threads", "[04][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[04]")
{
    check_untrained(ATTN_PROGRAM, "learnt", {"--quick"});
}
