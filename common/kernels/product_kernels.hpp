/// \file
/// \brief The inner loops of the matrix product, for one instruction set. Deliberately without
/// threads, memory of their own and a choice of blocks: gemm.hpp has these.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// A block of C = start + A B that is computed in one go, each entry as one chain of fused
/// multiplications and additions over the depth, in order. Entry (i, p) of A lies at
/// a[i * a_row + p * a_step], so that A may be read as it lies, transposed or packed.
template <class T>
struct ProductBlock
{
    std::size_t m;     ///< rows of A and C, at least 1
    std::size_t n;     ///< columns of B and C, at least 1
    std::size_t depth; ///< columns of A, rows of B, at least 1

    const T* a;         ///< [m, depth]
    std::size_t a_row;  ///< from one row of A to the next, inside a tile
    std::size_t a_step; ///< from one column of A to the next
    std::size_t a_tile; ///< from the first row of a tile to that of the next

    const T* b; ///< [depth, n], in panels as pack_b lays them out, or as it lies
    std::size_t
        b_step; ///< from one row of B to the next; 0 if B is in panels. A matrix that is
                ///< read as it lies must be whole vectors wide.

    const T* start;        ///< what the chains begin with [m, n]; null for zeros; may be c
    std::size_t start_row; ///< from one row of start to the next; 0 for the same row, a bias
    T* c;                  ///< [m, n]
    std::size_t ldc;       ///< from one row of C to the next
};

/// A matrix in plain memory: entry (i, j) lies at data[i * row + j * step].
template <class T>
struct Strided
{
    const T* data;    ///< the first number
    std::size_t row;  ///< from one row to the next
    std::size_t step; ///< from one column to the next; it or row is 1
};

/// The inner loops of the matrix product.
template <class T>
struct ProductKernels
{
    std::size_t tile_rows;    ///< rows of C whose sums stay in registers
    std::size_t tile_columns; ///< columns of C whose sums stay in registers
    std::size_t lanes;        ///< columns of C in one register

    /// Lays A out in tiles: [m / tile_rows, depth, tile_rows], each number times a factor and
    /// rounded, with zeros in the last tile where there is no row.
    void (*pack_a)(Strided<T> a, std::size_t m, std::size_t depth, T factor, T* tiles);
    /// Lays B out in panels, each [depth, columns of the panel] and begun where j columns of the
    /// depth before it end; with zeros after the last column, up to a whole vector.
    void (*pack_b)(Strided<T> b, std::size_t depth, std::size_t n, T* panels);
    /// Computes a block of C.
    void (*multiply)(const ProductBlock<T>& block);
};

} // namespace attn::kernels
