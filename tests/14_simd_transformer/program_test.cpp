/// \file
/// \brief The program of chapter 14: one clear sentence for what it cannot use, a list of names
/// that a script can read, and numbers that do not depend on the machine where it says so.
#include "common/kernels/instruction_sets.hpp"

#include "tests/common/translation/translator_program.hpp"
#include "tests/support/environment.hpp"

#include <sstream>

using namespace attn::testing;
namespace kernels = attn::kernels;

TEST_CASE("bad options end in one sentence and exit code 2", "[14][bad_input]")
{
    for (const BadInputCase& bad : std::vector<BadInputCase>{
             {"an unknown option", "", {"--vectors"}, {"--vectors"}},
             {"no instruction set", "", {"--simd", "avx9"}, {"--simd", "avx9", "scalar"}},
             {"an empty name", "", {"--simd", ""}, {"--simd"}},
             {"no tokens", "", {"--tokens", "0"}, {"--tokens"}},
             {"half a token", "", {"--tokens", "1.5"}, {"--tokens"}},
             {"no size", "", {"--size", "-3"}, {"--size"}},
             {"no thread", "", {"--threads", "0"}, {"--threads"}},
             {"steps of nothing", "", {"--steps", "8"}, {"--steps"}},
             {"a sentence, and no times", "", {"--translate", "a", "--untimed"}, {"--untimed"}},
             {"a sentence and a size",
              "",
              {"--translate", "a", "--size", "8"},
              {"--translate"}},
             {"load without a sentence", "", {"--load", "a"}, {"--translate"}},
             {"the trace and a sentence", "", {"--trace", "--translate", "a"}, {"--trace"}},
             {"the list and a sentence",
              "",
              {"--list-simd", "--translate", "a"},
              {"--list-simd"}},
             {"the trace and a size", "", {"--trace", "--tokens", "8"}, {"--trace"}},
             {"the trace and no times", "", {"--trace", "--untimed"}, {"--trace"}},
             {"the list and kernels", "", {"--list-simd", "--simd", "scalar"}, {"--list-simd"}},
             {"the list and no times", "", {"--list-simd", "--untimed"}, {"--list-simd"}},
             {"decoding and no times", "", {"--decoding", "--untimed"}, {"--decoding"}},
             {"decoding and a size", "", {"--decoding", "--size", "8"}, {"--decoding"}},
             {"decoding and tokens", "", {"--decoding", "--tokens", "8"}, {"--decoding"}},
             {"decoding and a sentence",
              "",
              {"--decoding", "--translate", "a"},
              {"--decoding"}},
             {"decoding and the list", "", {"--decoding", "--list-simd"}, {"--list-simd"}},
             {"decoding and the trace", "", {"--decoding", "--trace"}, {"--trace"}}}) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

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

TEST_CASE("the trace writes no file and names every intermediate", "[14]")
{
    const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--trace"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    for (const char* name : {"s [n_tile = 1]", "m [one number]", "shrink [one number]",
                             "w [n_tile = 2]", "l [one number]", "c [d_v = 2]", "c / l"}) {
        CHECK_THAT(run.out, contains(name));
    }
}

TEST_CASE("the translator that a reader asks for translates", "[14][train]")
{
    check_translates(ATTN_PROGRAM);
}

TEST_CASE("the words that can be read are listed", "[14]")
{
    check_known_words(ATTN_PROGRAM);
}

TEST_CASE("decoding is measured for every format, and nothing else is", "[14]")
{
    const ProgramRun run =
        run_leaving_nothing(ATTN_PROGRAM, {"--decoding", "--quick", "--threads", "1"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.empty());
    for (const char* part : {"Tokens one at a time", "Several texts at a time", "Heads of keys",
                             "A prompt in one pass", "float", "bf16", "int8", "of the copy"}) {
        CHECK_THAT(run.out, contains(part));
    }
    CHECK_THAT(run.out, !contains("The ladders"));
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
