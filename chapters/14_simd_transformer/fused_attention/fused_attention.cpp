/// \file
/// \brief The bodies of flash_attention.hpp: layout, pieces and threads around the kernels.
#include "chapters/14_simd_transformer/flash_attention.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/vector_math.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

namespace attn::simd_transformer {

namespace {

/// Memory for a kernel, from the pool, which begins every block at a multiple of 64 bytes.
Array<float> scratch_of(std::size_t n)
{
    return Array<float>(Shape{n});
}

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

HeadOfSentence head_of(const AttentionSizes& sizes, const Visible& visible, std::size_t index)
{
    constexpr float log2_e = 1.44269504F;
    const std::size_t sentence = index / sizes.n_heads;
    const std::size_t head = index % sizes.n_heads;
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;
    const HeadSizes own{.n_queries = sizes.n_queries,
                        .n_keys = sizes.n_keys,
                        .d_k = sizes.d_k,
                        .d_v = sizes.d_v,
                        .n_seen = visible.key_lengths.empty() ? sizes.n_keys
                                                              : visible.key_lengths[sentence],
                        .causal = visible.causal,
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

/// Rows of several heads in the tiles that a kernel reads.
class Packed
{
public:
    using Pack = void (*)(Rows, std::size_t, std::size_t, float*);

    /// \param n  rows of a head
    /// \param d  numbers in a row
    Packed(const AttentionKernels& kernels, std::size_t n_heads, std::size_t n, std::size_t d)
        : head_(in_whole(n, kernels.tile) * in_whole(d, kernels.tile)),
          memory_(scratch_of(n_heads * head_))
    {
    }
    void pack(std::size_t head, Pack how, Rows x, std::size_t n, std::size_t d)
    {
        how(x, n, d, of(head));
    }
    float* of(std::size_t head) { return memory_.data() + head * head_; }

private:
    static std::size_t in_whole(std::size_t n, std::size_t tile)
    {
        return (n + tile - 1) / tile * tile;
    }
    std::size_t head_;
    Array<float> memory_;
};

/// Queries that make a piece of work of one head: as many for any number of threads.
constexpr std::size_t blocks_a_piece = 4;

/// Largest scores and totals as one number a query. A query that sees no key has any: its
/// weights are 0 by their scores of -inf.
void join_statistics(const Array<float>& largest, Array<float>& total)
{
    constexpr float log2_e = 1.44269504F;
    const std::span<float> sums(total.data(), total.size());
    vector_math::log<float>(sums, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const float sum = largest.data()[i] + sums[i] * log2_e;
        sums[i] = sum == -std::numeric_limits<float>::infinity() ? 0.0F : sum;
    }
}

void attend_by_blocks(const Execution& how, const AttentionSizes& sizes, const Visible& visible,
                      const float* queries, const float* keys, const float* values,
                      float* context, float* largest, float* total)
{
    const AttentionKernels& kernels = ladder_kernels(how).attention;
    const std::size_t n_heads = n_heads_in_all(sizes);
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;

    Packed packed_keys(kernels, n_heads, sizes.n_keys, sizes.d_k);
    Packed packed_values(kernels, n_heads, sizes.n_keys, sizes.d_v);
    for_each_head(how, sizes, [&](std::size_t index) {
        const HeadOfSentence head = head_of(sizes, visible, index);
        packed_keys.pack(index, kernels.pack_rows, {keys + head.keys, query_row}, sizes.n_keys,
                         sizes.d_k);
        packed_values.pack(index, kernels.pack_columns, {values + head.values, value_row},
                           sizes.n_keys, sizes.d_v);
    });

    const std::size_t length = blocks_a_piece * kernels.block;
    const std::size_t pieces = (sizes.n_queries + length - 1) / length; // of a head
    const std::size_t together = pieces == 1 ? heads_a_piece(sizes) : 1;
    const std::size_t n = pieces * n_heads;
    parallel::for_each_index((n + together - 1) / together, how.n_threads, [&](std::size_t i) {
        Array<float> scratch = scratch_of(kernels.forward_scratch(sizes.d_k, sizes.d_v));
        for (std::size_t j = i * together; j < std::min(n, (i + 1) * together); ++j) {
            // The last queries first: with a causal mask they have the most to do.
            const std::size_t first = (pieces - 1 - j / n_heads) * length;
            const std::size_t index = j % n_heads;
            const HeadOfSentence head = head_of(sizes, visible, index);
            kernels.forward(
                head.sizes, {queries + head.queries, query_row}, packed_keys.of(index),
                packed_values.of(index), first, std::min(length, sizes.n_queries - first),
                {context + head.contexts, value_row},
                {largest + head.statistics, total + head.statistics}, scratch.data());
        }
    });
}

/// Keys of a head that one thread works on backwards. More than one piece only of long sentences,
/// and never more than eight: each has gradients of all queries for itself, which are added up at the
/// end. The cuts depend on the number of keys alone, so that the bits do.
std::size_t keys_a_piece(const AttentionKernels& kernels, std::size_t n_keys)
{
    constexpr std::size_t long_enough = 1024;
    const std::size_t pieces = std::clamp<std::size_t>(n_keys / long_enough, 1, 8);
    const std::size_t in_piece = (n_keys + pieces - 1) / pieces;
    return (in_piece + kernels.key_block - 1) / kernels.key_block * kernels.key_block;
}

/// The keys and values of all heads as the way back reads them.
struct PackedMemory
{
    Packed keys_by_rows;
    Packed keys_by_column;
    Packed values_by_rows;

    PackedMemory(const AttentionKernels& kernels, const AttentionSizes& sizes)
        : keys_by_rows(kernels, n_heads_in_all(sizes), sizes.n_keys, sizes.d_k),
          keys_by_column(kernels, n_heads_in_all(sizes), sizes.n_keys, sizes.d_k),
          values_by_rows(kernels, n_heads_in_all(sizes), sizes.n_keys, sizes.d_v)
    {
    }
};

} // namespace

SavedStatistics attend_fused(const Execution& how, const AttentionSizes& sizes,
                             const Visible& visible, const float* queries, const float* keys,
                             const float* values, float* context)
{
    multi_head::expect_fitting(visible, sizes.batch, sizes.n_queries, sizes.n_keys);
    const Shape shape{sizes.batch, sizes.n_heads, sizes.n_queries};
    Array<float> largest(shape);
    Array<float> total(shape);
    attend_by_blocks(how, sizes, visible, queries, keys, values, context, largest.data(),
                     total.data());
    join_statistics(largest, total);
    return {std::move(total)};
}

void attend_fused_backward(const Execution& how, const AttentionSizes& sizes,
                           const Visible& visible, const float* queries, const float* keys,
                           const float* values, const float* context,
                           const SavedStatistics& saved, const float* context_gradient,
                           const AttentionGradients& gradients)
{
    const AttentionKernels& kernels = ladder_kernels(how).attention;
    const std::size_t n_heads = n_heads_in_all(sizes);
    const std::size_t query_row = sizes.n_heads * sizes.d_k;
    const std::size_t value_row = sizes.n_heads * sizes.d_v;

    PackedMemory packed(kernels, sizes);
    for_each_head(how, sizes, [&](std::size_t index) {
        const HeadOfSentence head = head_of(sizes, visible, index);
        const Rows head_keys{keys + head.keys, query_row};
        const Rows head_values{values + head.values, value_row};
        packed.keys_by_rows.pack(index, kernels.pack_rows, head_keys, sizes.n_keys, sizes.d_k);
        packed.keys_by_column.pack(index, kernels.pack_columns, head_keys, sizes.n_keys,
                                   sizes.d_k);
        packed.values_by_rows.pack(index, kernels.pack_rows, head_values, sizes.n_keys,
                                   sizes.d_v);
    });

    // With several pieces of keys, each has query gradients of its own, added up afterwards.
    const std::size_t length = std::max<std::size_t>(1, keys_a_piece(kernels, sizes.n_keys));
    const std::size_t pieces = std::max<std::size_t>(1, (sizes.n_keys + length - 1) / length);
    const std::size_t part = pieces == 1 ? 0 : sizes.batch * sizes.n_queries * query_row;
    Array<float> parts(Shape{pieces * part});
    if (pieces > 1 && gradients.queries != nullptr && !gradients.add_queries) {
        std::fill_n(gradients.queries, part, 0.0F);
    }
    const auto back = [&](std::size_t index, std::size_t piece) {
        const HeadOfSentence head = head_of(sizes, visible, index);
        const std::size_t first = std::min(sizes.n_keys, piece * length);
        const std::size_t last =
            piece + 1 == pieces ? sizes.n_keys : std::min(sizes.n_keys, first + length);
        Array<float> scratch =
            scratch_of(kernels.backward_scratch(last - first, sizes.d_k, sizes.d_v));
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
    parallel::for_each_index(n_heads * pieces, how.n_threads,
                             [&](std::size_t i) { back(i / pieces, i % pieces); });
    if (gradients.queries != nullptr) {
        for (std::size_t i = 0; i < part; ++i) {
            for (std::size_t piece = 0; piece < pieces; ++piece) {
                gradients.queries[i] += parts.data()[piece * part + i];
            }
        }
    }
}

Variable<float> flash_attention(const Execution& how, const Variable<float>& queries,
                                const Variable<float>& keys, const Variable<float>& values,
                                std::size_t n_heads, const Visible& visible)
{
    const Shape& q = queries.shape();
    const Shape& v = values.shape();
    multi_head::expect_together(q, keys.shape(), v, n_heads);
    const AttentionSizes sizes{.batch = q[0],
                               .n_heads = n_heads,
                               .n_queries = q[1],
                               .n_keys = v[1],
                               .d_k = q[2] / n_heads,
                               .d_v = v[2] / n_heads};
    Array<float> context(Shape{q[0], q[1], v[2]});
    SavedStatistics saved =
        attend_fused(how, sizes, visible, queries.value().data(), keys.value().data(),
                     values.value().data(), context.data());
    const bool needs =
        queries.needs_gradient() || keys.needs_gradient() || values.needs_gradient();
    return autograd::record(
        std::move(context), needs,
        [how, sizes, visible, queries, keys, values,
         saved = std::move(saved)](const Array<float>& C, const Array<float>& dC) {
            // One variable may be queries, keys and values at once: opened in this order,
            // which is the order in which a head's gradients are written.
            AttentionGradients gradients;
            const auto open = [](const Variable<float>& x, float*& to, bool& add) {
                if (x.needs_gradient()) {
                    const autograd::GradientSum<float> sum = autograd::open_gradient(x);
                    to = sum.data;
                    add = sum.beta == 1.0F;
                }
            };
            open(queries, gradients.queries, gradients.add_queries);
            open(keys, gradients.keys, gradients.add_keys);
            open(values, gradients.values, gradients.add_values);
            attend_fused_backward(how, sizes, visible, queries.value().data(),
                                  keys.value().data(), values.value().data(), C.data(), saved,
                                  dC.data(), gradients);
        });
}

multi_head::Attend<float> flash_kernel(const Execution& how)
{
    return [how](const Variable<float>& queries, const Variable<float>& keys,
                 const Variable<float>& values, std::size_t n_heads, const Visible& visible,
                 Array<float>* weights) {
        return weights == nullptr
                   ? flash_attention(how, queries, keys, values, n_heads, visible)
                   : multi_head::attend_in_one_step(queries, keys, values, n_heads, visible,
                                                    weights);
    };
}

} // namespace attn::simd_transformer
