/// \file
/// \brief The program of chapter 11: one clear sentence for what it cannot use.
#include "tests/support/program_checks.hpp"

using namespace attn::testing;

TEST_CASE("bad options end in one sentence and exit code 2", "[11][bad_input]")
{
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--heads", "2"}, {"--heads"}},
             {"the trace and no training", "", {"--trace", "--untrained"}, {"--trace"}},
             {"the trace and timings", "", {"--trace", "--time"}, {"--trace"}},
             {"timings without trainings", "", {"--time", "--untrained"}, {"--time"}},
             {"no thread", "", {"--threads", "0"}, {"--threads"}},
             {"no seed", "", {"--seed", "-1"}, {"--seed"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("the trace writes no file", "[11]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM), contains("C [n_queries = 2, d = 2]"));
}

TEST_CASE("timings write no file", "[11]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--time"});
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("microseconds"));
}

TEST_CASE("without the trainings nothing is said of them", "[11]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--untrained"});
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("Every shape inside a layer"));
    CHECK_THAT(run.out, !contains("trained_"));
}
