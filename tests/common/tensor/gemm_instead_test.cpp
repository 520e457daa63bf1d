/// \file
/// \brief Which products another function computes, and which it does not.
#include "common/tensor/gemm_instead.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <thread>
#include <vector>

using namespace attn;

namespace {

const std::vector<float> two_and_three = {2, 3};

/// [2, 3] [2, 3]' = 13, if nobody computes it in another way.
float thirteen()
{
    float c = -1;
    gemm(Transpose::no, Transpose::yes, 1, 1, 2, 1.0F, two_and_three.data(), 2,
         two_and_three.data(), 2, 0.0F, &c, 1);
    return c;
}

/// Writes the same number whatever is asked for.
FloatProduct always(float number)
{
    return [number](Transpose, Transpose, std::size_t, std::size_t, std::size_t, float,
                    const float*, std::size_t, const float*, std::size_t, float, float* c,
                    std::size_t) { *c = number; };
}

} // namespace

TEST_CASE("products of floats are computed by another function while a guard lives", "[common]")
{
    CHECK(thirteen() == 13);
    {
        const GemmInstead instead(always(7));
        CHECK(thirteen() == 7);
        {
            const GemmInstead again(always(8));
            CHECK(thirteen() == 8);
        }
        CHECK(thirteen() == 7);
    }
    CHECK(thirteen() == 13);
}

TEST_CASE("a guard concerns neither other threads nor products of doubles", "[common]")
{
    const GemmInstead instead(always(7));
    float elsewhere = 0;
    std::thread([&] { elsewhere = thirteen(); }).join();
    CHECK(elsewhere == 13);

    const std::vector<double> x = {2, 3};
    double c = 0;
    gemm(Transpose::no, Transpose::yes, 1, 1, 2, 1.0, x.data(), 2, x.data(), 2, 0.0, &c, 1);
    CHECK(c == 13);
}

TEST_CASE("what is no product does not reach the other function, and strides are checked",
          "[common]")
{
    const GemmInstead instead(always(7));
    float c = 5;
    gemm<float>(Transpose::no, Transpose::no, 1, 1, 0, 1.0F, nullptr, 0, nullptr, 1, 2.0F, &c,
                1);
    CHECK(c == 10);
    gemm<float>(Transpose::no, Transpose::no, 0, 1, 1, 1.0F, nullptr, 1, nullptr, 1, 2.0F, &c,
                1);
    CHECK(c == 10);
    CHECK_THROWS_AS(gemm(Transpose::no, Transpose::no, 1, 1, 2, 1.0F, two_and_three.data(), 1,
                         two_and_three.data(), 1, 0.0F, &c, 1),
                    ContractError);
}
