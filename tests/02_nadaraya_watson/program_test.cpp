/// \file
/// \brief The program of chapter 2 with a reader's own data: its formats, its choice of a width and
/// its warnings.
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_checks.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinRel;

namespace {

const std::string golden_folder = ATTN_SOURCE_DIR "/tests/golden/02_nadaraya_watson/";
const std::string chapter_folder = ATTN_SOURCE_DIR "/chapters/02_nadaraya_watson/";

/// Runs the program for a prediction, which writes no file.
ProgramRun run(const std::vector<std::string>& arguments)
{
    return run_leaving_nothing(ATTN_PROGRAM, arguments);
}

} // namespace

TEST_CASE("the csv format holds query, prediction and count, and nothing else", "[02][golden]")
{
    const ProgramRun result =
        run({"--data", chapter_folder + "cars.csv", "--kernel", "boxcar", "--bandwidth", "2.5",
             "--query", "10,21,25", "--format", "csv"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK(result.out == "query,prediction,keys_in_window\n"
                        "10,21.36363636,11\n"
                        "21,52.2,10\n"
                        "25,85.66666667,6\n");
}

TEST_CASE("ten significant digits of R come out of the program", "[02][golden]")
{
    const std::vector<std::string> ask = {"--data",      golden_folder + "faithful.csv",
                                          "--bandwidth", "0.1853253",
                                          "--query",     "1.6,2.75,3.6,5.1",
                                          "--format",    "csv",
                                          "--cut",       "4"};
    const ProgramRun result = run(ask);
    CHECK(result.err.empty());
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    for (const double wanted : {53.35769964, 58.71559995, 77.15824339, 83.46709028}) {
        REQUIRE(std::getline(lines, line));
        const std::size_t comma = line.find(',');
        CHECK_THAT(std::stod(line.substr(comma + 1)), WithinRel(wanted, 1e-9));
    }
    CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("an empty window is nan, a count of zero and a warning", "[02][claim]")
{
    const std::vector<std::string> ask = {"--kernel", "boxcar",  "--bandwidth", "0.025",
                                          "--query",  "3.2,4.5", "--format",    "csv"};
    const ProgramRun result = run(ask);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, contains("\n3.2,nan,0\n"));
    CHECK_THAT(result.out, contains("\n4.5,79.3"));
    CHECK_THAT(result.err, contains("1 of 2 queries"));
    CHECK_THAT(result.err, contains("3.2"));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("leave-one-out is the default, and the same as asked for", "[02]")
{
    const std::string cars = chapter_folder + "cars.csv";
    const std::vector<std::string> ask = {"--data", cars, "--query", "10", "--format", "csv"};
    std::vector<std::string> by_name = ask;
    by_name.insert(by_name.end(), {"--bandwidth", "loo"});
    const ProgramRun first = run(ask);
    CHECK(first.out == run(by_name).out);

    const Sample sample = golden_sample("cars");
    const Choice choice = choose_bandwidth(sample, gaussian);
    const double wanted = predict({10}, sample, gaussian, choice.bandwidth).predictions(0);
    const std::string line = first.out.substr(first.out.find('\n') + 1);
    CHECK(line.substr(line.rfind(',')) == ",50\n");
    CHECK_THAT(std::stod(line.substr(3)), WithinRel(wanted, 1e-6));
}

TEST_CASE("a bandwidth at an end of the search is warned of", "[02]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "copied.csv") << "a,b\n1,10\n1,10\n2,30\n2,30\n4,0\n4,0\n";
    std::ofstream told_nothing(scratch.path() / "told_nothing.csv");
    for (int row = 0; row < 30; ++row) {
        told_nothing << row << ',' << row % 2 << '\n';
    }
    told_nothing.close();
    const auto ask = [&](const char* file) {
        return run_program(ATTN_PROGRAM, {"--data", file, "--format", "csv", "--query", "2"},
                           scratch.path());
    };
    CHECK_THAT(ask("copied.csv").err, contains("does not rise below the bandwidth"));
    CHECK_THAT(ask("copied.csv").out, contains("\n2,30,6\n"));
    CHECK_THAT(ask("told_nothing.csv").err, contains("does not rise above the bandwidth"));
}

TEST_CASE("any option of a prediction predicts, a default by name as well", "[02]")
{
    const std::string plain = run({"--data", golden_folder + "faithful.csv"}).out;
    CHECK_THAT(plain, contains("keys in the window"));
    const ProgramRun by_kernel = run({"--kernel", "gaussian"});
    CHECK_THAT(by_kernel.out, contains("waiting predicted from eruption"));
    CHECK(run({"--format", "table"}).out == by_kernel.out);
    CHECK(run({"--kernel", "gaussian", "--bandwidth", "loo"}).out == by_kernel.out);
}

TEST_CASE("same seed, same output, with any number of threads, and another with another seed",
          "[02][property]")
{
    check_seed_decides(ATTN_PROGRAM);
}
