/// \file
/// \brief The program of chapter 14: a list of names that a script can read, and numbers that do not depend on the machine where it says so.
#include "common/kernels/instruction_sets.hpp"

#include "tests/common/translation/translator_program.hpp"
#include "tests/support/environment.hpp"

#include <sstream>

using namespace attn::testing;
namespace kernels = attn::kernels;

TEST_CASE("an instruction set of the environment that is not there is refused",
          "[14][bad_input]")
{
    const WithEnvironment asked("ATTN_SIMD", "mmx");
    check_refused(ATTN_PROGRAM,
                  {"ATTN_SIMD", "", {"--untimed"}, {"ATTN_SIMD", "'mmx'", "scalar"}});
}

TEST_CASE("the instruction sets are listed a name a line, and each can be asked for", "[14]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--list-simd"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    std::istringstream lines(run.out);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        names.push_back(line);
    }
    REQUIRE(names.size() == kernels::instruction_sets().size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        CHECK(names[i] == kernels::instruction_sets()[i]->name);
    }
}

TEST_CASE("the translator that a reader asks for translates", "[14][long]")
{
    check_translates(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[14]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("what is untimed has the same numbers on all kernels and any number of threads",
          "[14]")
{
    std::string first;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const char* threads : {"1", "3"}) {
            if (kernels->fused) {
                const ProgramRun run =
                    run_leaving_nothing(ATTN_PROGRAM, {"--untimed", "--quick", "--simd",
                                                       kernels->name, "--threads", threads});
                CHECK(run.exit_code == 0);
                first = first.empty() ? run.out : first;
                CHECK(run.out == first);
            }
        }
    }
    CHECK_THAT(first, contains("below 1e-5") && contains("the same bits"));
    CHECK_THAT(first,
               contains("What a token reads") && contains("What weights of fewer bytes lose"));
    CHECK_THAT(first, !contains("GFLOP/s"));
}
