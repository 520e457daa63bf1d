// What a product refuses, and what runs beside it; its numbers are contract_test.cpp's.
#include "common/kernels/gemm.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

using attn::gemm;
using attn::Transpose;
using attn::testing::contains;

TEST_CASE("a factor of C other than 0 and 1 is refused", "[common]")
{
    std::vector<float> x(4);
    CHECK_THROWS_WITH(gemm<float>(Transpose::no, Transpose::no, 1, 1, 1, 1, x.data(), 1,
                                  x.data() + 1, 1, 2, x.data() + 2, 1),
                      "gemm: beta must be 0 or 1, got 2");
}

TEST_CASE("a nan in a factor reaches its row or column of the product and no other", "[common]")
{
    std::vector<float> a(5 * 4, 0.5F);
    const std::vector<float> b(4 * 19, 0.25F);
    std::vector<float> c(5 * 19);
    a[2 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
    gemm<float>(Transpose::no, Transpose::no, 5, 19, 4, 1, a.data(), 4, b.data(), 19, 0,
                c.data(), 19);
    for (std::size_t i = 0; i < c.size(); ++i) {
        CAPTURE(i);
        CHECK(std::isnan(c[i]) == (i / 19 == 2));
    }
}

TEST_CASE("a stride below the width of a stored row is refused", "[common]")
{
    std::vector<float> numbers(100);
    const auto with_strides = [&](Transpose t, std::size_t lda, std::size_t ldb,
                                  std::size_t ldc) {
        gemm<float>(t, t, 2, 3, 4, 1, numbers.data(), lda, numbers.data(), ldb, 0,
                    numbers.data() + 50, ldc);
    };
    CHECK_NOTHROW(with_strides(Transpose::no, 4, 3, 3));
    CHECK_NOTHROW(with_strides(Transpose::yes, 2, 4, 3));
    CHECK_THROWS_WITH(with_strides(Transpose::no, 3, 3, 3),
                      "gemm: lda must be at least the 4 columns of a stored row, got 3");
    CHECK_THROWS_WITH(with_strides(Transpose::no, 4, 2, 3), contains("gemm: ldb must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::no, 4, 3, 2), contains("gemm: ldc must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::yes, 1, 4, 3), contains("gemm: lda must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::yes, 2, 3, 3), contains("gemm: ldb must be"));
}

TEST_CASE("a product has the same bits alone and beside others", "[common][property]")
{
    const std::array<std::array<std::size_t, 3>, 4> shapes = {
        {{32, 192, 64}, {480, 192, 64}, {1, 192, 64}, {37, 41, 129}}};
    for (const auto& [m, n, k] : shapes) {
        CAPTURE(m, n, k);
        attn::random::Generator generator(7, m);
        std::vector<float> a(m * k), b(n * k);
        for (std::vector<float>* const factor : {&a, &b}) {
            for (float& number : *factor) {
                number = static_cast<float>(generator.uniform(-1, 1));
            }
        }
        const auto product = [&, m_ = m, n_ = n, k_ = k] {
            std::vector<float> c(m_ * n_);
            gemm<float>(Transpose::no, Transpose::yes, m_, n_, k_, 1, a.data(), k_, b.data(),
                        k_, 0, c.data(), n_);
            return c;
        };
        const std::vector<float> alone = product();
        std::vector<std::vector<float>> beside(12);
        attn::parallel::for_each_index(beside.size(), 4,
                                       [&](std::size_t i) { beside[i] = product(); });
        for (const std::vector<float>& result : beside) {
            REQUIRE(result == alone);
        }
    }
}
