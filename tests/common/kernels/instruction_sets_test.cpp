#include "common/kernels/instruction_sets.hpp"

#include "tests/support/catch.hpp"

#include <thread>

using namespace attn;

TEST_CASE("the first instruction set is plain C++, and each is found by its name", "[common]")
{
    REQUIRE(std::string(kernels::instruction_sets().front()->name) == "scalar");
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        CHECK(&kernels::instruction_set(kernels->name, "--simd") == kernels);
    }
}

TEST_CASE("an instruction set that is not there is refused with the names of those that are",
          "[common]")
{
    CHECK_THROWS_WITH(kernels::instruction_set("avx9", "--simd"),
                      Catch::Matchers::StartsWith("--simd: 'avx9' is none of the instruction "
                                                  "sets that this processor has: scalar"));
}

TEST_CASE("how a thread computes is the innermost guard's affair, and nobody else's",
          "[common]")
{
    const kernels::Kernels& scalar = *kernels::instruction_sets().front();
    const kernels::Kernels* const before = kernels::execution().kernels;
    {
        const kernels::ComputeWith outer({.n_threads = 3});
        {
            const kernels::ComputeWith inner({.kernels = &scalar});
            CHECK(kernels::execution().kernels == &scalar);
            CHECK(&kernels::current<double>() == &scalar.of_double);
            std::thread([&] { CHECK(kernels::execution().kernels == before); }).join();
        }
        CHECK(kernels::execution().n_threads == 3);
    }
    CHECK(kernels::execution().n_threads == 1);
    CHECK(kernels::execution().kernels == before);
}
