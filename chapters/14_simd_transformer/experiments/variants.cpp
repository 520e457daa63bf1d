#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/14_simd_transformer/online_attention.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/tensor/array.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::simd_transformer {

// ---------------------------------------------------------------- matrix product

namespace {

/// One of the plain loops, one lane at a time.
template <PlainProduct PlainProducts::*loops>
void multiply_lane_by_lane(const Execution&, std::size_t m, std::size_t n, std::size_t k,
                           const float* a, const float* b, float* c)
{
    (ladder_kernels({kernels::instruction_sets().front()}).products.*loops)(m, n, k, a, b, c);
}

/// One of the plain loops, as compiled for the instruction set.
template <PlainProduct PlainProducts::*loops>
void multiply_as_compiled(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                          const float* a, const float* b, float* c)
{
    (ladder_kernels(how).products.*loops)(m, n, k, a, b, c);
}

void multiply_on_threads(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                         const float* a, const float* b, float* c)
{
    const kernels::ComputeWith these(how);
    gemm(Transpose::no, Transpose::no, m, n, k, 1.0F, a, k, b, n, 0.0F, c, n);
}

void multiply_on_one_thread(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                            const float* a, const float* b, float* c)
{
    multiply_on_threads({how.kernels, 1}, m, n, k, a, b, c);
}

} // namespace

const std::vector<MatrixProductVariant>& matrix_product_variants()
{
    using Loops = PlainProducts;
    static const std::vector<MatrixProductVariant> variants = {
        {"plain loops, double", "row times column, each sum in double precision",
         multiply_lane_by_lane<&Loops::by_columns>},
        {"loop order", "the innermost loop goes along rows of B and C",
         multiply_lane_by_lane<&Loops::by_rows>},
        {"blocks", "16 by 256 numbers of B at a time, which stay in the first cache",
         multiply_lane_by_lane<&Loops::blocked>},
        {"packed blocks", "each block of B is copied together first",
         multiply_lane_by_lane<&Loops::packed>},
        {"left to the compiler", "the loop order's rung, the compiler may make vectors of it",
         multiply_as_compiled<&Loops::by_rows>},
        {"vectors", "the packed blocks, the innermost loop written in vectors",
         multiply_as_compiled<&Loops::vectors>},
        {"register tile", "a tile of sums stays in registers while the depth goes by",
         multiply_on_one_thread},
        {"threads", "rows of C are handed to all threads", multiply_on_threads}};
    return variants;
}

// ---------------------------------------------------------------- softmax

namespace {

/// The formula in plain loops, in double precision.
void softmax_in_doubles(const Execution& /*how*/, MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        double largest = std::numeric_limits<double>::lowest();
        for (std::size_t j = 0; j < size.n; ++j) {
            largest = std::max(largest, static_cast<double>(x[j]));
        }
        double sum = 0;
        for (std::size_t j = 0; j < size.n; ++j) {
            sum += std::exp(static_cast<double>(x[j]) - largest);
        }
        for (std::size_t j = 0; j < size.n; ++j) {
            const double exponential = std::exp(static_cast<double>(x[j]) - largest);
            y[j] = sum == 0 ? 0.0F : static_cast<float>(exponential / sum);
        }
    }
}

/// The same in single precision, each exponential computed once.
void softmax_in_floats(const Execution& /*how*/, MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        float shift = std::numeric_limits<float>::lowest();
        for (std::size_t j = 0; j < size.n; ++j) {
            shift = std::max(shift, x[j]);
        }
        float sum = 0;
        for (std::size_t j = 0; j < size.n; ++j) {
            y[j] = std::exp(x[j] - shift);
            sum += y[j];
        }
        const float factor = sum == 0 ? 0.0F : 1.0F / sum;
        for (std::size_t j = 0; j < size.n; ++j) {
            y[j] *= factor;
        }
    }
}

/// Every loop over the whole matrix before the next one begins, as a library of array
/// operations does it.
void softmax_in_whole_passes(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const SoftmaxKernels& kernels = ladder_kernels(how).softmax;
    const std::size_t n = size.n;
    Array<float> largest = uninitialised<float>({size.n_rows});
    Array<float> sums = uninitialised<float>({size.n_rows});
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        largest.data()[row] = kernels.largest(n, x + row * n);
    }
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        sums.data()[row] =
            kernels.exponentials(n, x + row * n, largest.data()[row], y + row * n);
    }
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        const float sum = sums.data()[row];
        kernels.scale(n, sum == 0 ? 0.0F : 1.0F / sum, y + row * n);
    }
}

/// Row by row, or with the largest number and the sum from one loop.
template <auto SoftmaxKernels::*kernel>
void softmax_by_rows(const Execution& how, MatrixSize size, const float* x, float* y)
{
    (ladder_kernels(how).softmax.*kernel)(size, x, y);
}

/// Three rows on their way, with stores through the cache or around it.
template <auto SoftmaxKernels::*kernel>
void softmax_three_rows(const Execution& how, MatrixSize size, const float* x, float* y)
{
    Array<float> exponentials = uninitialised<float>({2 * size.n});
    (ladder_kernels(how).softmax.*kernel)(size, x, y, exponentials.data());
}

void softmax_in_chunks(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const std::size_t n_chunks = (size.n + softmax_chunk - 1) / softmax_chunk;
    Array<float> under = uninitialised<float>({n_chunks});
    ladder_kernels(how).softmax.rows_in_chunks(size, x, y, under.data());
}

/// Numbers of a matrix up to which three rows are on their way at a time: 8 MiB, not fitted to
/// any cache.
constexpr std::size_t fits_the_cache = std::size_t(1) << 21U;

} // namespace

void softmax(const Execution& how, MatrixSize size, const float* x, float* y)
{
    const auto out_of_cache =
        size.n > softmax_chunk ? softmax_in_chunks : softmax_by_rows<&SoftmaxKernels::rows>;
    const auto run = size.n_rows * size.n > fits_the_cache
                         ? out_of_cache
                         : softmax_three_rows<&SoftmaxKernels::three_rows>;
    const kernels::ComputeWith on_threads(how);
    kernels::for_each_block_of_rows(
        size.n_rows, size.n, [&](std::size_t first, std::size_t n_rows) {
            run(how, {n_rows, size.n}, x + first * size.n, y + first * size.n);
        });
}

const std::vector<SoftmaxVariant>& softmax_variants()
{
    static const std::vector<SoftmaxVariant> ladder = {
        {"plain loops",
         "the formula in double precision, each exponential taken where it is used",
         softmax_in_doubles, 2},
        {"single precision", "each exponential taken once, and kept", softmax_in_floats, 2},
        {"vectors", "an exponential in every lane; every loop over the whole matrix",
         softmax_in_whole_passes, 5},
        {"row by row", "the three loops over one row, while it is in the cache",
         softmax_by_rows<&SoftmaxKernels::rows>, 2},
        {"online", "largest number and sum from one loop, each exponential taken twice",
         softmax_by_rows<&SoftmaxKernels::rows_online>, 2},
        {"three rows", "one row is looked through, one worked on, one written: in one loop",
         softmax_three_rows<&SoftmaxKernels::three_rows>, 2},
        {"around the cache", "the same, and what is written is not fetched first",
         softmax_three_rows<&SoftmaxKernels::three_rows_streamed>, 2},
        {"chunks", "a row in pieces, each under the largest number so far; scaled at the end",
         softmax_in_chunks, 2},
        {"threads",
         "blocks of rows: three at a time in the cache, one or chunks of it in memory", softmax,
         2}};
    return ladder;
}

// ---------------------------------------------------------------- attention

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

/// All scores of so many queries of a head, then their weights, then their contexts.
/// \tparam rows  queries at a time; 0: all
template <std::size_t rows>
void attend_by_products(const Execution& how, const AttentionSizes& sizes,
                        const AttentionMask& mask, const float* queries, const float* keys,
                        const float* values, float* context)
{
    const std::size_t at_a_time = rows == 0 ? sizes.n_queries : rows;
    Array<float> weights(Shape{at_a_time, sizes.n_keys});
    for_each_plain_head(sizes, queries, keys, values, context, [&](const PlainHead& head) {
        for (std::size_t first = 0; first < sizes.n_queries; first += at_a_time) {
            attend_rows({how.kernels, 1}, head, sizes, mask, first,
                        std::min(at_a_time, sizes.n_queries - first), weights.data());
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

template <bool threaded>
void attend_in_tiles(const Execution& how, const AttentionSizes& sizes,
                     const AttentionMask& mask, const float* queries, const float* keys,
                     const float* values, float* context)
{
    attend_fused({how.kernels, threaded ? how.n_threads : 1}, sizes, mask, queries, keys,
                 values, context);
}

} // namespace

const std::vector<AttentionVariant>& attention_variants()
{
    static const std::vector<AttentionVariant> variants = {
        {"plain loops, double", "a query's scores, their softmax, the sum of the values",
         attend_by_loops<double>, false},
        {"plain loops", "the same in float", attend_by_loops<float>, false},
        {"two products", "all scores of a head as one product of matrices, and all contexts",
         attend_by_products<0>, true},
        {"products by rows",
         "the same for 64 queries at a time: their scores stay in the cache",
         attend_by_products<64>, false},
        {"online, key by key", "no scores kept: what was added up shrinks when a larger comes",
         attend_key_by_key, false},
        {"fused tiles", "online, a block of keys at a time, every product on register tiles",
         attend_in_tiles<false>, false},
        {"fused, threads", "blocks of queries are handed to all threads", attend_in_tiles<true>,
         false}};
    return variants;
}

double attention_operations(const AttentionSizes& sizes, bool causal)
{
    const double pairs = static_cast<double>(sizes.batch * sizes.n_heads) *
                         static_cast<double>(sizes.n_queries) *
                         static_cast<double>(sizes.n_keys);
    return 2.0 * pairs * static_cast<double>(sizes.d_k + sizes.d_v) * (causal ? 0.5 : 1.0);
}

} // namespace attn::simd_transformer
