#include "chapters/14_simd_transformer/experiments/attention_ladder.hpp"

#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/catch.hpp"

#include <cmath>

using namespace attn;
namespace simd = attn::simd_transformer;

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
            simd::attention_ladder().front().attend({}, sizes, mask, q.data(), k.data(),
                                                    v.data(), right.data());
            for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
                for (const simd::AttentionRung& rung : simd::attention_ladder()) {
                    CAPTURE(kernels->name, rung.name, sizes.n_queries, scale);
                    Array<float> context(shape, std::nanf(""));
                    rung.attend({kernels, 2}, sizes, mask, q.data(), k.data(), v.data(),
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
