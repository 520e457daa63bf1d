/// \file
/// \brief The program of chapter 1 on a reader's own table of numbers of any size.
#include "tests/support/catch.hpp"
#include "tests/support/program_checks.hpp"

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

using namespace attn::testing;

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
