#include "chapters/14_simd_transformer/instruction_sets.hpp"

#include "common/program/bad_input.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
namespace simd = attn::simd_transformer;

TEST_CASE("the first instruction set is plain C++, and each is found by its name", "[14]")
{
    REQUIRE(std::string(simd::instruction_sets().front()->name) == "scalar");
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        CHECK(&simd::instruction_set(kernels->name, "--simd") == kernels);
    }
}

TEST_CASE("an instruction set that is not there is refused with the names of those that are",
          "[14]")
{
    CHECK_THROWS_WITH(simd::instruction_set("avx9", "--simd"),
                      Catch::Matchers::StartsWith("--simd: 'avx9' is none of the instruction "
                                                  "sets that this processor has: scalar"));
}
