/// \file
/// \brief The lower variants of the matrix product's ladder, for one instruction set.
#pragma once

#include "common/kernels/product_kernels.hpp"

#include <cstddef>

namespace attn::simd_transformer {

/// A small matrix product, plain: C [m, n] = A [m, k] B [k, n], all of them row by row without
/// gaps.
using PlainProduct = void (*)(std::size_t m, std::size_t n, std::size_t k, const float* a,
                              const float* b, float* c);

/// The sums of one register tile: C = A B.
/// \param depth  columns of A, rows of B
/// \param a      [depth, rows of the tile]
/// \param b      [depth, columns of the tile]
/// \param c      [rows of the tile, columns of the tile], written
using TileProduct = void (*)(std::size_t depth, const float* a, const float* b, float* c);

/// The lower variants of the matrix product's ladder.
struct PlainProducts
{
    TileProduct tile;         ///< one tile, in the words of tile.inl
    TileProduct tile_by_hand; ///< the same in intrinsics; null where nobody wrote it

    PlainProduct by_columns; ///< loops i, j, p, each sum in double
    PlainProduct by_rows;    ///< loops i, p, j: the innermost goes along rows
    PlainProduct blocked;    ///< the same by blocks that fit the cache
    PlainProduct packed;     ///< the same with each block of B copied together first
    PlainProduct vectors;    ///< the same with the innermost loop in vectors

    /// An entry after the other, for any factors: with the bits of the book's own products.
    kernels::ProductKernels<float> for_models;
};

} // namespace attn::simd_transformer
