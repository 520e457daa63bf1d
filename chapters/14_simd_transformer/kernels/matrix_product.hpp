/// \file
/// \brief The inner loops of the matrix product, for one instruction set. Deliberately without
/// threads, memory of their own and a choice of blocks: matrix_product.hpp has these.
#pragma once

#include <cstddef>

namespace attn::simd_transformer {

/// A block of C = alpha A B + beta C that is computed in one go. Entry (i, p) of A lies at
/// a[i * a_row + p * a_step], so that A may be read as it lies, transposed or packed.
struct ProductBlock
{
    std::size_t m;     ///< rows of A and C, at least 1
    std::size_t n;     ///< columns of B and C, at least 1
    std::size_t depth; ///< columns of A, rows of B, at least 1

    const float* a;     ///< [m, depth]
    std::size_t a_row;  ///< from one row of A to the next, inside a tile
    std::size_t a_step; ///< from one column of A to the next
    std::size_t a_tile; ///< from the first row of a tile to that of the next

    const float* b; ///< [depth, n], in panels as pack_b lays them out, or as it lies
    std::size_t
        b_step; ///< from one row of B to the next; 0 if B is in panels. A matrix that is
                ///< read as it lies must be whole vectors wide.

    float alpha;     ///< factor of the product
    float beta;      ///< factor of what C held; with 0 it is not read
    float* c;        ///< [m, n]
    std::size_t ldc; ///< from one row of C to the next
};

/// A matrix in plain memory: entry (i, j) lies at data[i * row + j * step].
struct Strided
{
    const float* data; ///< the first number
    std::size_t row;   ///< from one row to the next
    std::size_t step;  ///< from one column to the next; it or row is 1
};

/// A small matrix product, plain: C = A B, all of them row by row without gaps.
/// \param m  rows of A and C
/// \param n  columns of B and C
/// \param k  columns of A, rows of B
/// \param a  [m, k]
/// \param b  [k, n]
/// \param c  [m, n], written
using PlainProduct = void (*)(std::size_t m, std::size_t n, std::size_t k, const float* a,
                              const float* b, float* c);

/// The sums of one register tile: C = A B.
/// \param depth  columns of A, rows of B
/// \param a      [depth, rows of the tile]
/// \param b      [depth, columns of the tile]
/// \param c      [rows of the tile, columns of the tile], written
using TileProduct = void (*)(std::size_t depth, const float* a, const float* b, float* c);

/// The inner loops of the matrix product.
struct MatrixProductKernels
{
    std::size_t tile_rows;    ///< rows of C whose sums stay in registers
    std::size_t tile_columns; ///< columns of C whose sums stay in registers

    /// Lays A out in tiles: [m / tile_rows, depth, tile_rows], with zeros in the last tile
    /// where there is no row.
    void (*pack_a)(Strided a, std::size_t m, std::size_t depth, float* tiles);
    /// Lays B out in panels, each [depth, columns of the panel] and begun where j columns of the
    /// depth before it end; with zeros behind the last column, up to a whole vector.
    void (*pack_b)(Strided b, std::size_t depth, std::size_t n, float* panels);
    /// Computes a block of C. What it does to an entry of C does not depend on where in the
    /// block it stands.
    void (*multiply)(const ProductBlock& block);

    TileProduct tile;         ///< one tile, in the words of tile.inl
    TileProduct tile_by_hand; ///< the same in intrinsics; null where nobody wrote it

    PlainProduct by_columns; ///< loops i, j, p, each sum in double
    PlainProduct by_rows;    ///< loops i, p, j: the innermost goes along rows
    PlainProduct blocked;    ///< the same by blocks that fit the cache
    PlainProduct packed;     ///< the same with each block of B copied together first
    PlainProduct vectors;    ///< the same with the innermost loop in vectors
};

} // namespace attn::simd_transformer
