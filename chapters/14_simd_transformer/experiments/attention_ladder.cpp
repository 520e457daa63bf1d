#include "chapters/14_simd_transformer/experiments/attention_ladder.hpp"

#include "chapters/14_simd_transformer/online_attention.hpp"
#include "common/kernels/gemm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::simd_transformer {

namespace {

/// work(head) for each head of each sentence, one after the other.
template <typename Work>
void for_each_plain_head(const AttentionSizes& sizes, const float* queries, const float* keys,
                         const float* values, float* context, Work work)
{
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        for (std::size_t h = 0; h < sizes.n_heads; ++h) {
            work(PlainHead{queries + b * sizes.n_queries * query_row + h * sizes.d_k,
                           keys + b * sizes.n_keys * query_row + h * sizes.d_k,
                           values + b * sizes.n_keys * value_row + h * sizes.d_v,
                           context + b * sizes.n_queries * value_row + h * sizes.d_v, sizes.d_k,
                           sizes.d_v, query_row, value_row, b,
                           std::sqrt(static_cast<float>(sizes.d_k))});
        }
    }
}

/// A query's attention, by the textbook: all scores, their softmax, the sum of the values.
template <typename T>
void attend_one_query(const PlainHead& head, const AttentionSizes& sizes, std::size_t query,
                      std::size_t seen, std::vector<T>& scores)
{
    const float* const q = head.queries + query * head.query_row;
    T largest = -std::numeric_limits<T>::infinity();
    for (std::size_t j = 0; j < seen; ++j) {
        T score = 0;
        for (std::size_t k = 0; k < sizes.d_k; ++k) {
            score += static_cast<T>(q[k]) * static_cast<T>(head.keys[j * head.query_row + k]);
        }
        scores[j] = score / static_cast<T>(head.root);
        largest = std::max(largest, scores[j]);
    }
    T total = 0;
    for (std::size_t j = 0; j < seen; ++j) {
        scores[j] = std::exp(scores[j] - largest);
        total += scores[j];
    }
    for (std::size_t k = 0; k < sizes.d_v; ++k) {
        T sum = 0;
        for (std::size_t j = 0; j < seen; ++j) {
            sum += scores[j] * static_cast<T>(head.values[j * head.value_row + k]);
        }
        head.context[query * head.value_row + k] =
            seen == 0 ? 0.0F : static_cast<float>(sum / total);
    }
}

template <typename T>
void attend_by_loops(const Execution&, const AttentionSizes& sizes, const AttentionMask& mask,
                     const float* queries, const float* keys, const float* values,
                     float* context)
{
    std::vector<T> scores(sizes.n_keys);
    for_each_plain_head(sizes, queries, keys, values, context, [&](const PlainHead& head) {
        for (std::size_t i = 0; i < sizes.n_queries; ++i) {
            const std::size_t seen =
                mask.n_attended(head.sentence, i, sizes.n_queries, sizes.n_keys);
            attend_one_query(head, sizes, i, seen, scores);
        }
    });
}

/// The scores [n, n_keys] of n queries from the first, by a product of matrices, and what is
/// made of them: weights, then contexts by another product.
void attend_rows(const Execution& how, const PlainHead& head, const AttentionSizes& sizes,
                 const AttentionMask& mask, std::size_t first, std::size_t n, float* weights)
{
    const kernels::ComputeWith these(how);
    gemm(Transpose::no, Transpose::yes, n, sizes.n_keys, sizes.d_k, 1.0F / head.root,
         head.queries + first * head.query_row, head.query_row, head.keys, head.query_row, 0.0F,
         weights, sizes.n_keys);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t seen =
            mask.n_attended(head.sentence, first + i, sizes.n_queries, sizes.n_keys);
        float* const row = weights + i * sizes.n_keys;
        std::fill(row + seen, row + sizes.n_keys, -std::numeric_limits<float>::infinity());
    }
    ladder_kernels(how).softmax.rows({n, sizes.n_keys}, weights, weights);
    gemm(Transpose::no, Transpose::no, n, sizes.d_v, sizes.n_keys, 1.0F, weights, sizes.n_keys,
         head.values, head.value_row, 0.0F, head.context + first * head.value_row,
         head.value_row);
}

/// All scores of a head, then all weights, then all contexts.
void attend_by_products(const Execution& how, const AttentionSizes& sizes,
                        const AttentionMask& mask, const float* queries, const float* keys,
                        const float* values, float* context)
{
    Array<float> weights(Shape{sizes.n_queries, sizes.n_keys});
    for_each_plain_head(sizes, queries, keys, values, context, [&](const PlainHead& head) {
        attend_rows({how.kernels, 1}, head, sizes, mask, 0, sizes.n_queries, weights.data());
    });
}

/// Queries whose scores against all keys are kept at a time.
constexpr std::size_t rows_at_a_time = 64;

void attend_by_rows(const Execution& how, const AttentionSizes& sizes,
                    const AttentionMask& mask, const float* queries, const float* keys,
                    const float* values, float* context)
{
    Array<float> weights(Shape{rows_at_a_time, sizes.n_keys});
    for_each_plain_head(sizes, queries, keys, values, context, [&](const PlainHead& head) {
        for (std::size_t first = 0; first < sizes.n_queries; first += rows_at_a_time) {
            attend_rows({how.kernels, 1}, head, sizes, mask, first,
                        std::min(rows_at_a_time, sizes.n_queries - first), weights.data());
        }
    });
}

void attend_key_by_key(const Execution&, const AttentionSizes& sizes, const AttentionMask& mask,
                       const float* queries, const float* keys, const float* values,
                       float* context)
{
    for_each_plain_head(sizes, queries, keys, values, context, [&](const PlainHead& head) {
        for (std::size_t i = 0; i < sizes.n_queries; ++i) {
            attend_online(head, i,
                          mask.n_attended(head.sentence, i, sizes.n_queries, sizes.n_keys));
        }
    });
}

void attend_on_one_thread(const Execution& how, const AttentionSizes& sizes,
                          const AttentionMask& mask, const float* queries, const float* keys,
                          const float* values, float* context)
{
    attend_fused({how.kernels, 1}, sizes, mask, queries, keys, values, context);
}

void attend_on_threads(const Execution& how, const AttentionSizes& sizes,
                       const AttentionMask& mask, const float* queries, const float* keys,
                       const float* values, float* context)
{
    attend_fused(how, sizes, mask, queries, keys, values, context);
}

} // namespace

const std::vector<AttentionRung>& attention_ladder()
{
    static const std::vector<AttentionRung> rungs = {
        {"plain loops, double", "a query's scores, their softmax, the sum of the values",
         attend_by_loops<double>, false},
        {"plain loops", "the same in float", attend_by_loops<float>, false},
        {"two products", "all scores of a head as one product of matrices, and all contexts",
         attend_by_products, true},
        {"products by rows",
         "the same for 64 queries at a time: their scores stay in the cache", attend_by_rows,
         false},
        {"online, key by key", "no scores kept: what was added up shrinks when a larger comes",
         attend_key_by_key, false},
        {"fused tiles", "online, a block of keys at a time, every product on register tiles",
         attend_on_one_thread, false},
        {"fused, threads", "blocks of queries are handed to all threads", attend_on_threads,
         false}};
    return rungs;
}

double attention_operations(const AttentionSizes& sizes, bool causal)
{
    const double pairs = static_cast<double>(sizes.batch * sizes.n_heads) *
                         static_cast<double>(sizes.n_queries) *
                         static_cast<double>(sizes.n_keys);
    return 2.0 * pairs * static_cast<double>(sizes.d_k + sizes.d_v) * (causal ? 0.5 : 1.0);
}

} // namespace attn::simd_transformer
