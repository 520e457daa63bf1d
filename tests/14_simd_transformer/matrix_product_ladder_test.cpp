/// \file
/// \brief The rungs of the matrix product's ladder. What the last of them, the book's own product,
/// promises besides is tested where it lives, in tests/common/kernels.
#include "chapters/14_simd_transformer/experiments/ladders.hpp"
#include "chapters/14_simd_transformer/experiments/matrix_product_ladder.hpp"

#include "common/kernels/gemm.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace attn;
namespace simd = attn::simd_transformer;

namespace {

constexpr float nan_in_product = std::numeric_limits<float>::quiet_NaN();

std::vector<float> random_factor(std::size_t n, std::uint64_t stream, bool outliers = false)
{
    random::Generator generator(14, stream);
    std::vector<float> matrix(n);
    for (float& number : matrix) {
        const bool far = outliers && generator.below(17) == 0;
        number = static_cast<float>(generator.normal() * (far ? 1e6 : 1.0));
    }
    return matrix;
}

/// Whether a product is near the truth: as near as rounding leaves a sum of so many products.
bool near_truth(std::size_t m, std::size_t n, std::size_t k, const std::vector<float>& a,
                const std::vector<float>& b, const std::vector<float>& c)
{
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            double sizes = 1e-30;
            for (std::size_t p = 0; p < k; ++p) {
                const double product =
                    static_cast<double>(a[i * k + p]) * static_cast<double>(b[p * n + j]);
                sum += product;
                sizes += std::abs(product);
            }
            const double allowed = sizes * static_cast<double>(k + 3) * 6e-8;
            if (!(std::abs(static_cast<double>(c[i * n + j]) - sum) <= allowed)) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

TEST_CASE("every rung of the ladder is the plain loops' product", "[14]")
{
    constexpr std::size_t shapes[][3] = {{1, 1, 1},    {7, 5, 3},     {16, 48, 64},
                                         {65, 63, 66}, {70, 131, 67}, {130, 49, 129}};
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const auto& [m, n, k] : shapes) {
            for (const bool outliers : {false, true}) {
                const std::vector<float> a = random_factor(m * k, 1, outliers);
                const std::vector<float> b = random_factor(k * n, 2, outliers);
                for (const simd::MatrixProductRung& rung : simd::matrix_product_ladder()) {
                    std::vector<float> c(m * n, nan_in_product);
                    rung.multiply({kernels, 2}, m, n, k, a.data(), b.data(), c.data());
                    CAPTURE(kernels->name, rung.name, m, n, k, outliers);
                    REQUIRE(near_truth(m, n, k, a, b, c));
                }
            }
        }
    }
}

TEST_CASE("the plain loops of whole models have the bits of the book's own product", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        if (!kernels->fused) {
            continue;
        }
        kernels::Kernels plain = *kernels;
        plain.of_float.products = simd::ladder_kernels({kernels}).products.for_models;
        for (const simd::ProductSize& size :
             {simd::ProductSize{3, 40, 17}, simd::ProductSize{37, 70, 300}}) {
            const auto [m, n, k] = size;
            const std::vector<float> a = random_factor(m * k, 1);
            const std::vector<float> b = random_factor(k * n, 2);
            const std::vector<float> start = random_factor(m * n, 3);
            for (const Transpose t : {Transpose::no, Transpose::yes}) {
                const auto product = [&, m = m, n = n, k = k](const kernels::Kernels& with) {
                    const kernels::ComputeWith guard({.kernels = &with});
                    std::vector<float> c = start;
                    gemm(t, t, m, n, k, 0.7F, a.data(), t == Transpose::yes ? m : k, b.data(),
                         t == Transpose::yes ? k : n, 1.0F, c.data(), n);
                    return c;
                };
                CAPTURE(kernels->name, m, n, k, t == Transpose::yes);
                CHECK(product(plain) == product(*kernels));
            }
        }
    }
}

TEST_CASE("the tile written by hand has the bits of the one in the book's own words", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const simd::PlainProducts& own = simd::ladder_kernels({kernels}).products;
        if (own.tile_by_hand == nullptr) {
            CHECK(std::string(kernels->name) != "avx2");
            continue;
        }
        const std::size_t rows = kernels->of_float.products.tile_rows;
        const std::size_t columns = kernels->of_float.products.tile_columns;
        for (const std::size_t depth : {0U, 1U, 2U, 63U, 64U}) {
            const std::vector<float> a = random_factor(depth * rows + 1, 1);
            const std::vector<float> b = random_factor(depth * columns + 1, 2);
            std::vector<float> by_hand(rows * columns, nan_in_product);
            std::vector<float> in_words = by_hand;
            own.tile_by_hand(depth, a.data() + 1, b.data() + 1, by_hand.data());
            own.tile(depth, a.data() + 1, b.data() + 1, in_words.data());
            CAPTURE(depth);
            CHECK(by_hand == in_words);
        }
    }
}
