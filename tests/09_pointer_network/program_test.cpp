/// \file
/// \brief The program of chapter 9: one clear sentence for what it cannot use, and the hull of a
/// reader's points.
#include "common/program/files.hpp"
#include "tests/support/program_checks.hpp"

#include <string>

using namespace attn::testing;

TEST_CASE("bad options and points end in one sentence and exit code 2", "[09][bad_input]")
{
    const std::vector<std::string> points = {"--points", "table.csv"};
    std::string many = "x,y\n";
    for (int i = 0; i < 51; ++i) {
        many += std::to_string(i) + "," + std::to_string(i * i) + "\n";
    }
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--cities", "5"}, {"--cities"}},
             {"points that are not there", "", {"--points", "nothing.csv"}, {"nothing.csv"}},
             {"no coordinates", "a,b,c\n1,2,0\n3,4,0\n5,7,0\n", points, {"table.csv", "'x'"}},
             {"no number", "x,y\n1,2\n3,four\n5,7\n", points, {"table.csv", "four"}},
             {"not finite", "x,y\n1,2\n3,nan\n5,7\n", points, {"table.csv", "nan"}},
             {"two points", "x,y\n1,2\n3,4\n", points, {"table.csv", "2"}},
             {"too many points", many, points, {"table.csv", "51"}},
             {"two points and one again", "x,y\n1,2\n3,4\n1,2\n", points, {"different", "2"}},
             {"points on a line", "x,y\n1,1\n2,2\n3,3\n", points, {"table.csv", "line"}},
             {"one point three times",
              "x,y\n1,1\n1,1\n1,1\n",
              points,
              {"table.csv", "different", "1"}},
             {"no steps", "", {"--steps", "0"}, {"--steps"}},
             {"an example with points",
              "x,y\n0,0\n1,0\n0,1\n",
              {"--trace", "--points", "table.csv"},
              {"--trace"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("a reader's points get the network's hull beside the right one", "[09][train]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "points.csv",
                              "x,y\n100,100\n300,110\n290,240\n120,220\n200,160\n");
    const ProgramRun run = run_program(
        ATTN_PROGRAM, {"--points", "points.csv", "--steps", "1500"}, scratch.path());
    REQUIRE(run.exit_code == 0);
    CHECK_THAT(run.out, contains("The hull is: 1 (100, 100), 2 (300, 110), 3 (290, 240), 4"));
    CHECK_THAT(run.out, contains("The network points at: 1 (100, 100), 2"));
}

TEST_CASE("points are told by their rows and with all their digits, and each once", "[09]")
{
    const ScratchFolder scratch;
    attn::program::write_file(scratch.path() / "points.csv",
                              "lon,lat\n8300000.25,5.125\n8300000.25,5.125\n8300001,5.125\n"
                              "8300000.5,6\n8300001,5.125\n");
    const ProgramRun run = run_program(
        ATTN_PROGRAM, {"--points", "points.csv", "--quick", "--steps", "1"}, scratch.path());
    REQUIRE(run.exit_code == 0);
    CHECK_THAT(run.out, contains("3 points, without 2 that the file repeats."));
    CHECK_THAT(run.out, contains("The hull is: 1 (8300000.25, 5.125), 3 (8300001, 5.125), 4"));
}

TEST_CASE("the trace writes no file", "[09]")
{
    CHECK_THAT(checked_trace(ATTN_PROGRAM), contains("p [n_steps = 2, n_elements = 3]") &&
                                                contains("0.5000  0.5000  0.0000"));
}

TEST_CASE("same seed, same output, with any number of threads", "[09][train]")
{
    check_same_with_threads(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[09]")
{
    check_untrained(ATTN_PROGRAM, "How many answers there are");
}
