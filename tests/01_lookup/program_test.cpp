/// \file
/// \brief The program of chapter 1: a reader's own table, and one clear sentence for whatever it
/// cannot use.
#include "tests/support/catch.hpp"
#include "tests/support/program_checks.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace attn::testing;

TEST_CASE("bad input ends in one sentence and exit code 2", "[01][bad_input]")
{
    const std::string good = "key,value\n1,2\n3,4\n";
    const std::vector<std::string> ask = {"--table", "table.csv", "--query", "1"};
    const std::vector<BadInputCase> cases = {
        {"no such file", good, {"--table", "absent.csv", "--query", "1"}, {"absent.csv"}},
        {"a folder", good, {"--table", ".", "--query", "1"}, {"folder"}},
        {"an empty file", "", ask, {"table.csv"}},
        {"a header only", "key,value\n", ask, {"table.csv"}},
        {"one column", "key\n1\n2\n", ask, {"at least two columns"}},
        {"text in a number column", "key,value\n1,two\n", ask, {"line 2"}},
        {"a ragged row", "key,value\n1,2\n3\n", ask, {"line 3"}},
        {"not a number", "key,value\n1,nan\n", ask, {"line 2"}},
        {"infinity", "key,value\n1,inf\n", ask, {"line 2"}},
        {"a number out of range", "key,value\n1,1e999\n", ask, {"line 2"}},
        {"binary noise", std::string("\x00\xff\xfe\x01,\x02\n\x03", 7), ask, {"table.csv"}},
        {"a query that is no number",
         good,
         {"--table", "table.csv", "--query", "x"},
         {"--query"}},
        {"a query that is nan", good, {"--table", "table.csv", "--query", "nan"}, {"--query"}},
        {"a query of the wrong size",
         "a,b,value\n1,2,3\n",
         {"--table", "table.csv", "--query", "1,2,3"},
         {"groups of 2"}},
        {"no such value column",
         good,
         {"--table", "table.csv", "--value", "height"},
         {"height"}},
        {"temperature zero",
         good,
         {"--temperature", "0"},
         {"the temperature must be positive"}},
        {"a negative temperature",
         good,
         {"--temperature", "-1"},
         {"the temperature must be positive"}},
        {"temperature nan", good, {"--temperature", "nan"}, {"--temperature"}},
        {"no neighbours", good, {"--neighbours", "0"}, {"--neighbours"}},
        {"an unknown option", good, {"--colour"}, {"--colour"}},
        {"a missing argument", good, {"--query"}, {"--query"}},
        {"a seed that is no number", good, {"--seed", "one"}, {"--seed"}},
        {"no threads", good, {"--threads", "0"}, {"--threads"}},
        {"an output folder below a file", good, {"--out", "table.csv/out"}, {"table.csv"}},
        {"an output folder that is a file", good, {"--out", "table.csv"}, {"table.csv"}},
    };
    for (const BadInputCase& bad : cases) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("keys, queries and answers far from zero are told apart", "[01]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "map.csv")
        << "latitude,longitude,height\n48.8566,2.3522,8300000.25\n48.8571,2.3529,8300001.5\n";
    const std::string out = run_program(ATTN_PROGRAM,
                                        {"--table", "map.csv", "--query", "48.8567,2.3523",
                                         "--temperature", "1e-9"},
                                        scratch.path())
                                .out;
    for (const char* shown :
         {"(48.8566, 2.3522)", "(48.8571, 2.3529)", "(48.8567, 2.3523)", "8300000.25"}) {
        CHECK_THAT(out, contains(shown));
    }
}

TEST_CASE("a reader's own table is asked", "[01]")
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "cities.csv")
        << "latitude,longitude,celsius\n48.9,2.4,12\n41.9,12.5,16\n";
    const ProgramRun run = run_program(
        ATTN_PROGRAM, {"--table", "cities.csv", "--query", "48.9,2.4,45,7"}, scratch.path());
    CHECK(run.err.empty());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("latitude, longitude"));
    CHECK_THAT(run.out, contains("(45, 7)"));
    CHECK_THAT(run.out, contains("no row"));
    CHECK_FALSE(std::filesystem::exists(scratch.path() / "out"));
}

TEST_CASE("keys whose squares overflow or vanish are told apart", "[01]")
{
    for (const std::string size : {"e200", "e-200", "e307"}) {
        const ScratchFolder scratch;
        std::ofstream(scratch.path() / "table.csv")
            << "key,value\n1" + size + ",1\n1.5" + size + ",2\n";
        const ProgramRun run = run_program(
            ATTN_PROGRAM, {"--table", "table.csv", "--query", "1.1" + size}, scratch.path());
        INFO(run.out << run.err);
        REQUIRE(run.exit_code == 0);
        const auto answer = [&](const std::string& way) {
            const std::size_t begin = run.out.find("\n" + way) + 1;
            const std::string line = run.out.substr(begin, run.out.find('\n', begin) - begin);
            return line.substr(line.rfind(' ') + 1);
        };
        CHECK(answer("nearest") == "1");
        CHECK(answer("average") == "1.5");
    }
}

TEST_CASE("a large offset or one far key hides no difference", "[01]")
{
    const auto answers = [](const std::string& rows, const std::string& query) {
        const ScratchFolder scratch;
        std::ofstream(scratch.path() / "table.csv") << "a,b,value\n" + rows;
        const ProgramRun run = run_program(
            ATTN_PROGRAM, {"--table", "table.csv", "--query", query, "--neighbours", "1"},
            scratch.path());
        INFO(run.out << run.err);
        REQUIRE(run.exit_code == 0);
        std::vector<std::string> found;
        for (const std::string way : {"nearest", "soft"}) {
            const std::size_t begin = run.out.find("\n" + way) + 1;
            const std::string line = run.out.substr(begin, run.out.find('\n', begin) - begin);
            found.push_back(line.substr(line.rfind(' ') + 1));
        }
        return found;
    };
    const std::vector<std::string> near = answers("0,0,1\n0,1,20\n0,5,300\n", "0,1");
    CHECK(near[0] == "20");
    for (const std::string far : {"1e155", "1e200"}) {
        CHECK(answers(far + ",0,1\n" + far + ",1,20\n" + far + ",5,300\n", far + ",1") == near);
    }
    // A far key has no weight, and changes nothing.
    CHECK(answers("0,0,1\n0,1,20\n0,5,300\n-1e200,1,7\n", "0,1") == near);
}
