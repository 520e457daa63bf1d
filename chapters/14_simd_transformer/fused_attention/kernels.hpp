/// \file
/// \brief The inner loops of fused attention, for one instruction set: one head at a time, its
/// keys and values laid out in tiles, its queries in blocks as wide as a few registers. Threads and
/// memory are fused_attention.hpp's.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// The sizes of one head of one sentence, and which keys its queries attend to.
struct HeadSizes
{
    std::size_t n_queries; ///< at least 1
    std::size_t n_keys;    ///< at least 1
    std::size_t d_k;       ///< numbers in a query and in a key
    std::size_t d_v;       ///< numbers in a value and in a context
    std::size_t n_seen;    ///< keys that are no padding, the first so many
    bool causal;           ///< whether query i attends to no key behind n_keys - n_queries + i
    float scale;           ///< of the scores, times log2 e: weights are powers of two here
};

/// Rows in plain memory, and how many numbers lie from one to the next.
struct Rows
{
    const float* data; ///< the first number
    std::size_t step;  ///< at least the row's length
};

/// Rows to be written.
struct OutputRows
{
    float* data;      ///< the first number
    std::size_t step; ///< at least the row's length
};

/// Of each query: its largest score, and the sum of its weights before they are divided by it.
struct RowStatistics
{
    float* largest; ///< [n_queries], times log2 e; -inf if the query attends to no key
    float* total;   ///< [n_queries], at least 1; 0 without a key whose score is above -3e38
};

/// What the backward pass of one head reads.
struct BackwardInputs
{
    Rows queries;                ///< [n_queries, d_k]
    Rows context;                ///< [n_queries, d_v]
    Rows context_gradient;       ///< [n_queries, d_v]
    const float* keys_by_rows;   ///< as pack_rows lays them out
    const float* keys_by_column; ///< as pack_columns lays them out
    const float* values_by_rows; ///< as pack_rows lays them out
    const float* log_total; ///< [n_queries], log2 of the sum of 2^score; any, if there is none
};

/// Where the backward pass of one head writes, and whether it adds to what is there; nowhere
/// if the pointer is null.
struct BackwardOutputs
{
    OutputRows queries; ///< [n_queries, d_k]
    OutputRows keys;    ///< [n_keys, d_k], only the rows of the keys asked for
    OutputRows values;  ///< [n_keys, d_v], only the rows of the keys asked for
    bool add_queries;   ///< whether the queries' gradients are added to what is there
    bool add_keys;      ///< the same of the keys'
    bool add_values;    ///< the same of the values'
};

/// The inner loops of fused attention.
struct AttentionKernels
{
    std::size_t tile;      ///< rows of a tile: keys come so many at a time
    std::size_t block;     ///< queries that are worked on together
    std::size_t key_block; ///< keys that are worked on together

    /// Lays rows out in tiles: [n / tile, d, tile], with zeros where rows are missing.
    void (*pack_rows)(Rows x, std::size_t n, std::size_t d, float* tiles);
    /// The same rows by columns: [d / tile, n, tile], with zeros where columns are missing.
    void (*pack_columns)(Rows x, std::size_t n, std::size_t d, float* tiles);

    /// How many numbers forward() needs for itself.
    std::size_t (*forward_scratch)(std::size_t d_k, std::size_t d_v);
    /// How many numbers backward() needs for itself.
    /// \param n_keys  that are asked for
    std::size_t (*backward_scratch)(std::size_t n_keys, std::size_t d_k, std::size_t d_v);
    /// Contexts of the queries first to first + n.
    /// \param keys     by pack_rows
    /// \param values   by pack_columns
    /// \param scratch  at a multiple of 64 bytes
    void (*forward)(const HeadSizes& sizes, Rows queries, const float* keys,
                    const float* values, std::size_t first, std::size_t n, OutputRows context,
                    RowStatistics statistics, float* scratch);
    /// Gradients by way of the keys first_key to last_key; the weights are computed again.
    /// \param first_key  a multiple of key_block
    /// \param last_key   a multiple of key_block, or n_keys
    /// \param scratch    at a multiple of 64 bytes
    void (*backward)(const HeadSizes& sizes, const BackwardInputs& in, std::size_t first_key,
                     std::size_t last_key, const BackwardOutputs& out, float* scratch);
};

} // namespace attn::simd_transformer
