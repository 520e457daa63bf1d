/// \file
/// \brief Layout, pieces and threads around the kernels. Their memory is the pool's, which
/// begins every array at a multiple of 64 bytes.
#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"

#include "common/kernels/vector_math.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

namespace attn::simd_transformer {

namespace {

constexpr float log2_e = 1.44269504F;

/// One head of one sentence: its sizes, and where its rows begin in Q, K, V and C.
struct HeadOfSentence
{
    HeadSizes sizes;
    std::size_t queries;    ///< of Q, and of its gradient
    std::size_t keys;       ///< of K
    std::size_t values;     ///< of V
    std::size_t contexts;   ///< of C
    std::size_t statistics; ///< of what is saved
};

HeadOfSentence head_of(const AttentionSizes& sizes, const AttentionMask& mask,
                       std::size_t index)
{
    const std::size_t sentence = index / sizes.n_heads;
    const std::size_t head = index % sizes.n_heads;
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;
    const HeadSizes own{.n_queries = sizes.n_queries,
                        .n_keys = sizes.n_keys,
                        .d_k = sizes.d_k,
                        .d_v = sizes.d_v,
                        .n_seen = mask.key_lengths.empty() ? sizes.n_keys
                                                           : mask.key_lengths[sentence],
                        .causal = mask.causal,
                        .scale = log2_e / std::sqrt(static_cast<float>(sizes.d_k))};
    return {.sizes = own,
            .queries = sentence * sizes.n_queries * query_row + head * sizes.d_k,
            .keys = sentence * sizes.n_keys * query_row + head * sizes.d_k,
            .values = sentence * sizes.n_keys * value_row + head * sizes.d_v,
            .contexts = sentence * sizes.n_queries * value_row + head * sizes.d_v,
            .statistics = index * sizes.n_queries};
}

std::size_t n_heads_in_all(const AttentionSizes& sizes)
{
    return sizes.batch * sizes.n_heads;
}

/// How many heads of a sentence or two make a piece of work for a thread: enough that handing
/// it out does not matter.
std::size_t heads_a_piece(const AttentionSizes& sizes)
{
    constexpr std::size_t enough = 1 << 19; // multiplications and additions, ten microseconds
    const std::size_t work = sizes.n_queries * sizes.n_keys * (sizes.d_k + sizes.d_v);
    return std::max<std::size_t>(1, enough / std::max<std::size_t>(1, work));
}

/// work(head) for all heads, several at a time.
void for_each_head(const Execution& how, const AttentionSizes& sizes,
                   const std::function<void(std::size_t)>& work)
{
    const std::size_t n = n_heads_in_all(sizes);
    const std::size_t together = heads_a_piece(sizes);
    parallel::for_each_index((n + together - 1) / together, how.n_threads,
                             [&](std::size_t piece) {
                                 const std::size_t last = std::min(n, (piece + 1) * together);
                                 for (std::size_t i = piece * together; i < last; ++i) {
                                     work(i);
                                 }
                             });
}

/// Keys or values of all heads in the tiles that a kernel reads.
class Packed
{
public:
    using Pack = void (*)(Rows, std::size_t, std::size_t, float*);

    /// \param d  numbers in a row
    Packed(const Execution& how, const AttentionSizes& sizes, std::size_t d)
        : n_(sizes.n_keys), d_(d), head_(in_tiles(how, n_) * in_tiles(how, d)),
          memory_(Shape{n_heads_in_all(sizes) * head_})
    {
    }
    void pack(std::size_t head, Pack how, Rows x) { how(x, n_, d_, of(head)); }
    float* of(std::size_t head) { return memory_.data() + head * head_; }

private:
    static std::size_t in_tiles(const Execution& how, std::size_t n)
    {
        const std::size_t tile = ladder_kernels(how).attention.tile;
        return (n + tile - 1) / tile * tile;
    }
    std::size_t n_, d_, head_;
    Array<float> memory_;
};

/// Queries that make a piece of work of one head: as many for any number of threads.
constexpr std::size_t blocks_a_piece = 4;

/// Largest scores and totals as one number a query. A query that attends to no key has any: its
/// weights are 0 by their scores of -inf.
void join_statistics(const Array<float>& largest, Array<float>& total)
{
    const std::span<float> sums(total.data(), total.size());
    vector_math::log<float>(sums, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const float sum = largest.data()[i] + sums[i] * log2_e;
        sums[i] = sum == -std::numeric_limits<float>::infinity() ? 0.0F : sum;
    }
}

void attend_by_blocks(const Execution& how, const AttentionSizes& sizes,
                      const AttentionMask& mask, const float* queries, const float* keys,
                      const float* values, float* context, float* largest, float* total)
{
    const AttentionKernels& kernels = ladder_kernels(how).attention;
    const std::size_t n_heads = n_heads_in_all(sizes);
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;

    Packed packed_keys(how, sizes, sizes.d_k);
    Packed packed_values(how, sizes, sizes.d_v);
    for_each_head(how, sizes, [&](std::size_t index) {
        const HeadOfSentence head = head_of(sizes, mask, index);
        packed_keys.pack(index, kernels.pack_rows, {keys + head.keys, query_row});
        packed_values.pack(index, kernels.pack_columns, {values + head.values, value_row});
    });

    const std::size_t length = blocks_a_piece * kernels.block;
    const std::size_t pieces = (sizes.n_queries + length - 1) / length; // of a head
    const std::size_t together = pieces == 1 ? heads_a_piece(sizes) : 1;
    const std::size_t n = pieces * n_heads;
    parallel::for_each_index((n + together - 1) / together, how.n_threads, [&](std::size_t i) {
        Array<float> scratch(Shape{kernels.forward_scratch(sizes.d_k, sizes.d_v)});
        for (std::size_t j = i * together; j < std::min(n, (i + 1) * together); ++j) {
            // The last queries first: with a causal mask they have the most to do.
            const std::size_t first = (pieces - 1 - j / n_heads) * length;
            const std::size_t index = j % n_heads;
            const HeadOfSentence head = head_of(sizes, mask, index);
            kernels.forward(
                head.sizes, {queries + head.queries, query_row}, packed_keys.of(index),
                packed_values.of(index), first, std::min(length, sizes.n_queries - first),
                {context + head.contexts, value_row},
                {largest + head.statistics, total + head.statistics}, scratch.data());
        }
    });
}

/// Keys of a head that one thread works on in the backward pass. More than one piece only of
/// long sentences, and never more than eight: each has gradients of all queries for itself,
/// which are added up at the end. The cuts depend on the number of keys alone, so that the bits
/// do.
std::size_t keys_a_piece(const AttentionKernels& kernels, std::size_t n_keys)
{
    constexpr std::size_t long_enough = 1024;
    const std::size_t pieces = std::clamp<std::size_t>(n_keys / long_enough, 1, 8);
    const std::size_t in_piece = (n_keys + pieces - 1) / pieces;
    return (in_piece + kernels.key_block - 1) / kernels.key_block * kernels.key_block;
}

/// The keys and values of all heads as the backward pass reads them.
struct PackedMemory
{
    Packed keys_by_rows;
    Packed keys_by_column;
    Packed values_by_rows;

    PackedMemory(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                 const float* keys, const float* values)
        : keys_by_rows(how, sizes, sizes.d_k), keys_by_column(how, sizes, sizes.d_k),
          values_by_rows(how, sizes, sizes.d_v)
    {
        const AttentionKernels& kernels = ladder_kernels(how).attention;
        for_each_head(how, sizes, [&](std::size_t index) {
            const HeadOfSentence head = head_of(sizes, mask, index);
            const Rows head_keys{keys + head.keys, sizes.n_heads * sizes.d_k};
            const Rows head_values{values + head.values, sizes.n_heads * sizes.d_v};
            keys_by_rows.pack(index, kernels.pack_rows, head_keys);
            keys_by_column.pack(index, kernels.pack_columns, head_keys);
            values_by_rows.pack(index, kernels.pack_rows, head_values);
        });
    }
};

/// sum += the parts [n_parts, n], one after the other.
void add_parts(const Array<float>& parts, std::size_t n, float* sum)
{
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t place = i; place < parts.size(); place += n) {
            sum[i] += parts.data()[place];
        }
    }
}

} // namespace

SavedStatistics attend_fused(const Execution& how, const AttentionSizes& sizes,
                             const AttentionMask& mask, const float* queries, const float* keys,
                             const float* values, float* context)
{
    multi_head::expect_fitting(mask, sizes.batch, sizes.n_queries, sizes.n_keys);
    const Shape shape{sizes.batch, sizes.n_heads, sizes.n_queries};
    Array<float> largest(shape);
    Array<float> total(shape);
    attend_by_blocks(how, sizes, mask, queries, keys, values, context, largest.data(),
                     total.data());
    join_statistics(largest, total);
    return {std::move(total)};
}

void attend_fused_backward(const Execution& how, const AttentionSizes& sizes,
                           const AttentionMask& mask, const float* queries, const float* keys,
                           const float* values, const float* context,
                           const SavedStatistics& saved, const float* context_gradient,
                           const AttentionGradients& gradients)
{
    const AttentionKernels& kernels = ladder_kernels(how).attention;
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;

    PackedMemory packed(how, sizes, mask, keys, values);

    // With several pieces of keys, each has query gradients of its own, added up afterwards.
    const std::size_t length = std::max<std::size_t>(1, keys_a_piece(kernels, sizes.n_keys));
    const std::size_t pieces = std::max<std::size_t>(1, (sizes.n_keys + length - 1) / length);
    const std::size_t part = pieces == 1 ? 0 : sizes.batch * sizes.n_queries * query_row;
    Array<float> parts(Shape{pieces * part});
    if (pieces > 1 && gradients.queries != nullptr && !gradients.add_queries) {
        std::fill_n(gradients.queries, part, 0.0F);
    }
    const auto back = [&](std::size_t index, std::size_t piece) {
        const HeadOfSentence head = head_of(sizes, mask, index);
        const std::size_t first = std::min(sizes.n_keys, piece * length);
        const std::size_t last =
            piece + 1 == pieces ? sizes.n_keys : std::min(sizes.n_keys, first + length);
        Array<float> scratch(
            Shape{kernels.backward_scratch(last - first, sizes.d_k, sizes.d_v)});
        const auto at = [](float* data, std::size_t begin, std::size_t row) {
            return OutputRows{data == nullptr ? nullptr : data + begin, row};
        };
        float* const query_gradients =
            pieces == 1 ? gradients.queries : parts.data() + piece * part;
        kernels.backward(head.sizes,
                         {.queries = {queries + head.queries, query_row},
                          .context = {context + head.contexts, value_row},
                          .context_gradient = {context_gradient + head.contexts, value_row},
                          .keys_by_rows = packed.keys_by_rows.of(index),
                          .keys_by_column = packed.keys_by_column.of(index),
                          .values_by_rows = packed.values_by_rows.of(index),
                          .log_total = saved.log_total.data() + head.statistics},
                         first, last,
                         {.queries = at(query_gradients, head.queries, query_row),
                          .keys = at(gradients.keys, head.keys, query_row),
                          .values = at(gradients.values, head.values, value_row),
                          .add_queries = pieces == 1 && gradients.add_queries,
                          .add_keys = gradients.add_keys,
                          .add_values = gradients.add_values},
                         scratch.data());
    };
    if (pieces == 1) {
        for_each_head(how, sizes, [&](std::size_t index) { back(index, 0); });
        return;
    }
    parallel::for_each_index(n_heads_in_all(sizes) * pieces, how.n_threads,
                             [&](std::size_t i) { back(i / pieces, i % pieces); });
    if (gradients.queries != nullptr) {
        add_parts(parts, part, gradients.queries);
    }
}

} // namespace attn::simd_transformer
