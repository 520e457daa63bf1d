/// \file
/// \brief The ladders: that every rung computes what the first does, what is counted, and what
/// is measured of them. How fast they are, no test asks. What the book's own product promises
/// besides is tested in tests/common/kernels.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "common/kernels/gemm.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/pool_allocator.hpp"
#include "tests/14_simd_transformer/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
namespace simd = attn::simd_transformer;
using Catch::Matchers::WithinRel;

// ---------------------------------------------------------------- matrix product

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
                for (const simd::MatrixProductVariant& variant :
                     simd::matrix_product_variants()) {
                    std::vector<float> c(m * n, nan_in_product);
                    variant.multiply({kernels, 2}, m, n, k, a.data(), b.data(), c.data());
                    CAPTURE(kernels->name, variant.name, m, n, k, outliers);
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
            const std::size_t m = size.m;
            const std::size_t n = size.n;
            const std::size_t k = size.k;
            const std::vector<float> a = random_factor(m * k, 1);
            const std::vector<float> b = random_factor(k * n, 2);
            const std::vector<float> start = random_factor(m * n, 3);
            for (const Transpose t : {Transpose::no, Transpose::yes}) {
                const auto product = [&](const kernels::Kernels& with) {
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

// ---------------------------------------------------------------- attention

TEST_CASE("every rung of the attention ladder computes what the first does", "[14]")
{
    const std::vector<std::pair<simd::AttentionSizes, multi_head::AttentionMask>> cases = {
        {{.batch = 1, .n_heads = 1, .n_queries = 1, .n_keys = 1, .d_k = 1, .d_v = 1}, {}},
        {{.batch = 2, .n_heads = 3, .n_queries = 70, .n_keys = 70, .d_k = 16, .d_v = 16},
         {{70, 33}, true}},
        {{.batch = 1, .n_heads = 2, .n_queries = 65, .n_keys = 131, .d_k = 8, .d_v = 24}, {}},
        {{.batch = 2, .n_heads = 1, .n_queries = 5, .n_keys = 17, .d_k = 5, .d_v = 3},
         {{0, 17}, false}}};
    for (const auto& [sizes, mask] : cases) {
        for (const double scale : {1.0, 6.0}) {
            const std::size_t n_heads = sizes.n_heads;
            const Array<float> q = testing::random_numbers(
                {sizes.batch, sizes.n_queries, n_heads * sizes.d_k}, 1, scale);
            const Array<float> k = testing::random_numbers(
                {sizes.batch, sizes.n_keys, n_heads * sizes.d_k}, 2, scale);
            const Array<float> v =
                testing::random_numbers({sizes.batch, sizes.n_keys, n_heads * sizes.d_v}, 3);
            const Shape shape{sizes.batch, sizes.n_queries, n_heads * sizes.d_v};
            Array<float> right(shape);
            simd::attention_variants().front().attend({}, sizes, mask, q.data(), k.data(),
                                                      v.data(), right.data());
            for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
                for (const simd::AttentionVariant& variant : simd::attention_variants()) {
                    CAPTURE(kernels->name, variant.name, sizes.n_queries, scale);
                    Array<float> context(shape, std::nanf(""));
                    variant.attend({kernels, 2}, sizes, mask, q.data(), k.data(), v.data(),
                                   context.data());
                    CHECK(testing::difference(context, right) < 1e-5 * scale * scale);
                }
            }
        }
    }
}

TEST_CASE("operations of attention are counted forwards as four a pair and number",
          "[14][claim]")
{
    const simd::AttentionSizes sizes{
        .n_heads = 8, .n_queries = 1024, .n_keys = 1024, .d_k = 64, .d_v = 64};
    CHECK(simd::attention_operations(sizes, false) == 4.0 * 1024 * 1024 * 64 * 8);
    CHECK(simd::attention_operations(sizes, true) == 2.0 * 1024 * 1024 * 64 * 8);
}

// ---------------------------------------------------------------- as one kind of thing

TEST_CASE("every rung of every ladder is near its first, for every instruction set", "[14]")
{
    const std::vector<simd::Ladder> ladders = simd::all_ladders({.product = {35, 29, 43},
                                                                 .softmax_rows = 7,
                                                                 .softmax_columns = 37,
                                                                 .n_heads = 3,
                                                                 .n_tokens = 37,
                                                                 .d_head = 23});
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const simd::Ladder& ladder : ladders) {
            for (std::size_t variant = 0; variant < ladder.variants.size(); ++variant) {
                INFO(kernels->name << ", " << ladder.name << ", "
                                   << ladder.variants[variant].name);
                CHECK(simd::largest_difference(ladder, variant, {kernels, 2}) < 1e-5);
                CHECK(ladder.variants[variant].threaded ==
                      (variant + 1 == ladder.variants.size()));
            }
        }
    }
}

// [claim_intensity]
TEST_CASE("without scores kept, operations a byte grow with the sentence", "[14][claim]")
{
    const auto intensity = [](std::size_t n_tokens, const std::string& name) {
        const simd::Ladder ladder = simd::attention_ladder(1, n_tokens, 64);
        for (const simd::Variant& variant : ladder.variants) {
            if (variant.name == name) {
                return ladder.flops / variant.bytes;
            }
        }
        return 0.0;
    };
    for (const std::size_t n : {5U, 64U, 256U, 1024U}) { // 5: fewer than a block of keys
        CHECK(intensity(n, "two products") < 64 / 4.0);
        CHECK_THAT(intensity(n, "fused tiles"), WithinRel(static_cast<double>(n) / 4, 1e-12));
    }
    CHECK(intensity(1024, "two products") > 15); // and no sentence makes it more than 16
}
// [claim_intensity]

TEST_CASE("operations and bytes are counted as the page says", "[14][claim]")
{
    const simd::Ladder product = simd::product_ladder({48, 48, 48});
    CHECK(product.flops == 2.0 * 48 * 48 * 48);
    CHECK(product.flops / product.variants.back().bytes == 48 / 6.0);
    const simd::Ladder softmax = simd::softmax_ladder(3, 40);
    CHECK(softmax.flops == 5.0 * 3 * 40);
    CHECK(softmax.variants.front().bytes == 8.0 * 3 * 40);
    CHECK(simd::attention_ladder(2, 10, 16).flops == 4.0 * 10 * 10 * 16 * 2);
    const simd::Ladder oblong = simd::product_ladder({2, 3, 5});
    CHECK(oblong.flops == 2.0 * 2 * 3 * 5);
    CHECK(oblong.variants.back().bytes == 4.0 * (2 * 5 + 5 * 3 + 2 * 3));
    CHECK_THROWS_AS(simd::product_ladder({3, 0, 3}), ContractError);
    CHECK_THROWS_AS(simd::softmax_ladder(3, 0), ContractError);
    CHECK_THROWS_AS(simd::attention_ladder(2, 0, 16), ContractError);
}

TEST_CASE("a rung that computes something else is seen", "[14]")
{
    simd::Ladder ladder = simd::softmax_ladder(2, 5);
    const auto result = ladder.result;
    ladder.variants[1].run = [result](const simd::Execution&) {
        std::fill(result->begin(), result->end(), 0.2F);
    };
    CHECK(simd::largest_difference(ladder, 1, {}) > 1e-2);
    ladder.variants[1].run = [result](const simd::Execution&) { (*result)[3] = std::nanf(""); };
    CHECK(std::isinf(simd::largest_difference(ladder, 1, {})));
    CHECK_THROWS_AS(simd::largest_difference(ladder, 99, {}), ContractError);
}

TEST_CASE("a climb measures every rung against the first and against the roof", "[14]")
{
    const simd::Ladder ladder = simd::product_ladder({40, 40, 40});
    const simd::Machine machine{.peak = 1, .copy = 2, .stream = 3};
    CHECK(machine.bandwidth() == 3);
    const std::vector<simd::Measured> all =
        simd::measure_variants(ladder, {}, {machine, machine}, {.seconds = 0, .n_runs = 1});
    REQUIRE(all.size() == ladder.variants.size());
    CHECK(all.front().times_first == 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const simd::Measured& here = all[i];
        CHECK(here.machine.bandwidth() == 3);
        CHECK(here.machine.peak != 1); // measured again
        CHECK_THAT(here.gflops, WithinRel(ladder.flops / here.seconds * 1e-9, 1e-12));
        CHECK_THAT(here.times_first, WithinRel(all.front().seconds / here.seconds, 1e-12));
        CHECK(here.limit <= 3 * ladder.flops / ladder.variants[i].bytes * (1 + 1e-12));
    }
}

TEST_CASE("memory is counted by what is taken, and failures come through", "[14]")
{
    const std::size_t bytes = bytes_taken([] {
        const Array<float> one = filled<float>({1000}, 0.0F);
        const Array<float> other = filled<float>({3000}, 0.0F);
    });
    CHECK(bytes >= 16000);
    CHECK(bytes < 24000);
    // What has been given back is taken again, and counts once.
    CHECK(bytes_taken([] {
              for (int i = 0; i < 10; ++i) {
                  const Array<float> again = filled<float>({1000}, 0.0F);
              }
          }) < 8000);
    CHECK_THROWS_AS(bytes_taken([] { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST_CASE("plain attention takes memory by the square of the tokens, the fused one by the line",
          "[14][claim]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        INFO(kernels->name);
        const std::vector<simd::AttentionMemory> memory = simd::attention_memory(
            *kernels, {.n_heads = 1, .d_head = 16}, {256, 512, 1024, 2048});
        for (std::size_t i = 1; i < memory.size(); ++i) {
            const double plain =
                static_cast<double>(memory[i].plain) / static_cast<double>(memory[i - 1].plain);
            const double fused =
                static_cast<double>(memory[i].fused) / static_cast<double>(memory[i - 1].fused);
            CHECK(plain > 3.3);
            CHECK(fused < 2.3);
        }
    }
}

TEST_CASE("times of attention are there where they were asked for", "[14]")
{
    const std::vector<simd::AttentionTime> times = simd::attention_times(
        {}, {.n_heads = 2, .d_head = 16}, {5, 8192}, {.seconds = 0, .n_runs = 1});
    REQUIRE(times.size() == 2);
    for (const simd::AttentionTime& time : times) {
        CHECK(time.fused > 0);
        CHECK(time.causal > 0);
        CHECK(time.backward > 0);
        CHECK(time.peak > 0);
    }
    CHECK(times[0].plain > 0);
    CHECK(times[1].plain == 0); // 2 * 8192^2 scores are more than it may keep
}
