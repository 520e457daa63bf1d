#include "chapters/14_simd_transformer/fewer_bits/bf16_attention.hpp"

#include "chapters/14_simd_transformer/fewer_bits/definition.inl"
#include "common/parallel/for_each_index.hpp"
#include "common/storage/half_precision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace attn::simd_transformer {

namespace {

/// Where the rows of a head of a sentence begin, and how many numbers lie from one to the next.
struct Bf16Head
{
    const BFloat16* queries;
    const BFloat16* keys;
    const BFloat16* values;
    float* context;
    std::size_t query_row;
    std::size_t value_row;
    std::size_t sentence;

    Bf16Head(const AttentionSizes& sizes, const Bf16Inputs& inputs, float* contexts,
             std::size_t index)
        : query_row(sizes.n_heads * sizes.d_k), value_row(sizes.n_heads * sizes.d_v),
          sentence(index / sizes.n_heads)
    {
        const std::size_t head = index % sizes.n_heads;
        queries = inputs.queries + sentence * sizes.n_queries * query_row + head * sizes.d_k;
        keys = inputs.keys + sentence * sizes.n_keys * query_row + head * sizes.d_k;
        values = inputs.values + sentence * sizes.n_keys * value_row + head * sizes.d_v;
        context = contexts + sentence * sizes.n_queries * value_row + head * sizes.d_v;
    }
};

/// The factor of the scores: weights are powers of two.
float scale_of(const AttentionSizes& sizes)
{
    constexpr float log2_e = 1.44269504F;
    return log2_e / std::sqrt(static_cast<float>(sizes.d_k));
}

float number(BFloat16 x)
{
    return flushed(storage::float_of_bf16(x.bits));
}

float rounded(float x)
{
    return storage::float_of_bf16(storage::bf16_of(x));
}

/// \param n_attended  how many of the first keys the query attends to
/// \param exp2        y_i = 2^x_i for x_i <= 0
void attend_one_query(const AttentionSizes& sizes, const Bf16Head& head, std::size_t query,
                      std::size_t n_attended,
                      void (*exp2)(std::size_t n, const float* x, float* y))
{
    constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
    const BFloat16* const q = head.queries + query * head.query_row;
    float* const c = head.context + query * head.value_row;
    std::fill_n(c, sizes.d_v, 0.0F);
    float largest = minus_infinity;
    float total = 0;
    for (std::size_t first = 0; first < sizes.n_keys; first += bf16_keys) {
        const std::size_t n_keys = std::min(bf16_keys, sizes.n_keys - first);
        std::array<float, bf16_keys + 1> scores{};
        const float before = largest;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const BFloat16* const key = head.keys + (first + j) * head.query_row;
            const auto left = [&](std::size_t p) { return p < sizes.d_k ? number(key[p]) : 0; };
            const auto right = [&](std::size_t p) { return p < sizes.d_k ? number(q[p]) : 0; };
            scores[j] = first + j < n_attended
                            ? add_inner_product(sizes.d_k, left, right, 0.0F) * scale_of(sizes)
                            : minus_infinity;
            largest = std::max(largest, scores[j]);
        }

        const float shift = std::max(-3e38F, largest);
        scores[n_keys] = before;
        std::array<float, bf16_keys + 1> weights{};
        for (std::size_t j = 0; j <= n_keys; ++j) {
            scores[j] -= shift;
        }
        exp2(n_keys + 1, scores.data(), weights.data());
        const float shrink = weights[n_keys];
        total *= shrink;
        for (std::size_t j = 0; j < n_keys; ++j) {
            weights[j] = scores[j] < bf16_least_exponent ? 0.0F : rounded(weights[j]);
            total += weights[j];
        }

        for (std::size_t d = 0; d < sizes.d_v; ++d) {
            const auto left = [&](std::size_t p) {
                return p < n_keys ? number(head.values[(first + p) * head.value_row + d]) : 0;
            };
            const auto right = [&](std::size_t p) { return p < n_keys ? weights[p] : 0; };
            c[d] = add_inner_product(n_keys, left, right, c[d] * shrink);
        }
    }
    for (std::size_t d = 0; d < sizes.d_v; ++d) {
        c[d] = c[d] / (total > 0 ? total : 1.0F) + 0.0F; // a zero has no sign
    }
}

/// Values [n_keys, d_v] by blocks of bf16_keys: [d_v, n_keys of the block] each.
std::vector<BFloat16> transposed_values(const AttentionSizes& sizes, const Bf16Head& head)
{
    std::vector<BFloat16> values(sizes.n_keys * sizes.d_v);
    BFloat16* to = values.data();
    for (std::size_t first = 0; first < sizes.n_keys; first += bf16_keys) {
        const std::size_t end = std::min(first + bf16_keys, sizes.n_keys);
        for (std::size_t d = 0; d < sizes.d_v; ++d) {
            for (std::size_t j = first; j < end; ++j) {
                *to++ = head.values[j * head.value_row + d];
            }
        }
    }
    return values;
}

/// Of a block of queries, one a column: what its attention has come to, and memory.
struct QueryBlock
{
    std::vector<std::int32_t> queries; ///< [d_k, bf16_queries], as pack_bf16 has them
    std::vector<float> context;        ///< [d_v, bf16_queries]
    std::vector<float> scores = std::vector<float>(bf16_keys * bf16_queries);
    std::vector<std::int32_t> weights =
        std::vector<std::int32_t>(bf16_words(bf16_keys, bf16_queries));
    std::array<float, bf16_queries> limits{};
    std::array<float, bf16_queries> largest{};
    std::array<float, bf16_queries> total{};
    std::array<float, bf16_queries> shrink{};
};

/// Contexts of the queries first to first + n, at most bf16_queries.
void attend_block(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                  const Bf16Head& head, const BFloat16* values, std::size_t first,
                  std::size_t n)
{
    const Bf16Kernels& kernels = ladder_kernels(how).bf16;
    const MultiplyBf16 multiply = bf16_multiplication(how);
    QueryBlock block;
    block.queries.resize(bf16_words(sizes.d_k, bf16_queries));
    pack_bf16(sizes.d_k, n, head.queries + first * head.query_row, 1, head.query_row,
              block.queries.data());
    block.context.assign(sizes.d_v * bf16_queries, 0.0F);
    block.largest.fill(-std::numeric_limits<float>::infinity());
    std::size_t n_seen = 0; // keys that any of them attends to
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t limit =
            mask.n_attended(head.sentence, first + i, sizes.n_queries, sizes.n_keys);
        block.limits[i] = static_cast<float>(limit);
        n_seen = std::max(n_seen, limit);
    }

    // [attend_block]
    for (std::size_t key = 0; key < n_seen; key += bf16_keys) {
        const std::size_t n_keys = std::min(bf16_keys, sizes.n_keys - key);
        std::fill_n(block.scores.data(), n_keys * bf16_queries, 0.0F);
        multiply({.m = n_keys,
                  .n = bf16_queries,
                  .k = sizes.d_k,
                  .a = head.keys + key * head.query_row,
                  .lda = head.query_row,
                  .b = block.queries.data(),
                  .c = block.scores.data(),
                  .ldc = bf16_queries});
        kernels.weigh({n_keys, key, scale_of(sizes), block.scores.data(), block.limits.data(),
                       block.largest.data(), block.total.data(), block.shrink.data(),
                       block.weights.data()});
        kernels.scale_rows(sizes.d_v, block.shrink.data(), block.context.data());
        multiply({.m = sizes.d_v,
                  .n = bf16_queries,
                  .k = n_keys,
                  .a = values + key * sizes.d_v,
                  .lda = n_keys,
                  .b = block.weights.data(),
                  .c = block.context.data(),
                  .ldc = bf16_queries});
    }
    // [attend_block]

    kernels.divide_rows(sizes.d_v, block.total.data(), block.context.data());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t d = 0; d < sizes.d_v; ++d) {
            head.context[(first + i) * head.value_row + d] =
                block.context[d * bf16_queries + i];
        }
    }
}

} // namespace

void attend_bf16_by_definition(const AttentionSizes& sizes, const AttentionMask& mask,
                               const Bf16Inputs& inputs, float* context)
{
    multi_head::expect_fitting(mask, sizes.batch, sizes.n_queries, sizes.n_keys);
    const Execution scalar{.kernels = kernels::instruction_sets().front()};
    for (std::size_t index = 0; index < sizes.batch * sizes.n_heads; ++index) {
        const Bf16Head head(sizes, inputs, context, index);
        for (std::size_t query = 0; query < sizes.n_queries; ++query) {
            attend_one_query(
                sizes, head, query,
                mask.n_attended(head.sentence, query, sizes.n_queries, sizes.n_keys),
                ladder_kernels(scalar).softmax.exp2);
        }
    }
}

void attend_bf16(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                 const Bf16Inputs& inputs, float* context)
{
    multi_head::expect_fitting(mask, sizes.batch, sizes.n_queries, sizes.n_keys);
    const std::size_t n_heads = sizes.batch * sizes.n_heads;
    std::vector<std::vector<BFloat16>> values(n_heads);
    parallel::for_each_index(n_heads, how.n_threads, [&](std::size_t index) {
        values[index] = transposed_values(sizes, Bf16Head(sizes, inputs, context, index));
    });
    const std::size_t n_blocks = (sizes.n_queries + bf16_queries - 1) / bf16_queries;
    parallel::for_each_index(n_heads * n_blocks, how.n_threads, [&](std::size_t i) {
        const std::size_t index = i / n_blocks;
        const std::size_t first = i % n_blocks * bf16_queries;
        attend_block(how, sizes, mask, Bf16Head(sizes, inputs, context, index),
                     values[index].data(), first,
                     std::min(bf16_queries, sizes.n_queries - first));
    });
}

} // namespace attn::simd_transformer
