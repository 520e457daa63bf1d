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
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--trace"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains("W [n_features = 2, one = 1]"));
    CHECK_THAT(run.out, contains("0.2826  0.3587  0.3587"));
}

TEST_CASE("same seed, same output, with any number of threads", "[05][train]")
{
    CHECK(quick_output(ATTN_PROGRAM, "2", "1") == quick_output(ATTN_PROGRAM, "2", "2"));
}

TEST_CASE("without the trainings nothing is said of them", "[05]")
{
    const ScratchFolder scratch;
    const ProgramRun run =
        run_program(ATTN_PROGRAM, {"--quick", "--untrained"}, scratch.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("largest weight"));
    CHECK_THAT(run.out, !contains("Trained in float"));
    CHECK_THAT(run.out, !contains("trained_"));
}
