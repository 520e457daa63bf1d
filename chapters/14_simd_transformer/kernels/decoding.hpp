/// \file
/// \brief The inner loops of writing word by word, for one instruction set: one row at a time
/// meets matrices and caches, so that every number that is read is used once. Deliberately
/// without register tiles, which live on numbers that are used again, and without the
/// normalisation, which is in rows.hpp.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// What a row is multiplied with, and what is added to the product.
struct RowProduct
{
    std::size_t n_in;    ///< numbers in the row
    std::size_t n_out;   ///< columns of the matrix
    const float* weight; ///< [n_in, n_out]
    const float* bias;   ///< [n_out], or null
    const float* rest;   ///< [n_out], added as well, or null; may be where the result goes
    bool rectified;      ///< whether what is below 0 becomes 0
};

/// The keys and values that one row asks. Keys lie by columns, so that a vector holds the same
/// number of several keys and no sum crosses its lanes.
struct RowMemory
{
    std::size_t n_heads; ///< divides d
    std::size_t d;       ///< numbers in a row, of all heads together
    std::size_t n_seen;  ///< how many of the first keys are asked
    std::size_t room;    ///< numbers from one row of keys to the next, a multiple of 64
    const float* keys;   ///< [d, room], readable to the end
    const float* values; ///< [room, d]
};

/// The inner loops of writing word by word.
struct DecodingKernels
{
    /// y = x W + b + rest, then max(0, y) if wanted.
    void (*multiply_row)(const RowProduct& product, const float* x, float* y);
    /// Attention of every head of one query.
    /// \param query    [d]
    /// \param scale    of the scores, times log2 e
    /// \param weights  [room], for the kernel itself
    /// \param context  [d], written; 0 if no key is seen
    void (*attend_row)(const RowMemory& memory, const float* query, float scale, float* weights,
                       float* context);
};

} // namespace attn::simd_transformer
