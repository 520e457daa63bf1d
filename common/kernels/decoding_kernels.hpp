/// \file
/// \brief The inner loops of incremental decoding, for one instruction set: one row at a time meets
/// matrices and caches, so that every number that is read is used once. Each number has the bits
/// that the products of whole matrices give it. Deliberately without register tiles, which live on
/// numbers that are used again.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// What a row is multiplied with, and what is added to the product.
template <class T>
struct RowProduct
{
    std::size_t n_in;  ///< numbers in the row
    std::size_t n_out; ///< columns of the matrix
    const T* weight;   ///< [n_in, n_out]
    const T* bias;     ///< [n_out], what the chains begin with, or null for zeros
    const T* residual; ///< [n_out], added at the end, or null; may be where the result goes
    bool rectified;    ///< whether what is below 0 becomes 0
};

/// The keys and values that one row attends to. Keys lie by columns, so that a vector holds the
/// same number of several keys and no sum crosses its lanes.
template <class T>
struct RowMemory
{
    std::size_t n_heads; ///< divides d
    std::size_t d;       ///< numbers in a row, of all heads together
    std::size_t n_seen;  ///< how many of the first keys are attended to
    std::size_t room;    ///< numbers from one row of keys to the next, a multiple of 64
    const T* keys;       ///< [d, room], readable to the end
    const T* values;     ///< [room, d]
};

/// The inner loops of incremental decoding.
template <class T>
struct DecodingKernels
{
    /// y = x W + b, then max(0, y) if wanted, then plus the residual.
    void (*multiply_row)(const RowProduct<T>& product, const T* x, T* y);
    /// Attention of every head of one query.
    /// \param query    [d]
    /// \param scale    of the scores; each number of the query is multiplied by it first
    /// \param weights  [n_heads, room], receives the weights of the keys seen
    /// \param context  [d], written; 0 if no key is seen
    void (*attend_row)(const RowMemory<T>& memory, const T* query, T scale, T* weights,
                       T* context);
};

} // namespace attn::kernels
