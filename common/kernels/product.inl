/// \file
/// \brief The bodies of matrix_product.hpp: packing, and the walk over a block of C by register
/// tiles. A tile is as many rows as are left, up to tile_rows; a panel is as many vectors as are
/// left, up to tile_vectors. Each shape of tile is compiled by itself, so that the sums of all of
/// them stay in registers.
#include "chapters/14_simd_transformer/kernels/plain_products.inl"
#include "chapters/14_simd_transformer/kernels/tile_by_hand.inl"

#include <utility>

namespace {

using attn::simd_transformer::MatrixProductKernels;
using attn::simd_transformer::ProductBlock;
using attn::simd_transformer::Strided;

/// How many vectors the next panel has. Four that are left make two panels of two: one vector by
/// itself would load more than it computes.
constexpr std::size_t panel_vectors(std::size_t left)
{
    static_assert(tile_vectors == 3);
    return left == 4 ? 2 : left < tile_vectors ? left : tile_vectors;
}

template <class V>
constexpr std::size_t vectors_for(std::size_t n)
{
    return (n + Lanes<V>::size - 1) / Lanes<V>::size;
}

inline void pack_a(Strided a, std::size_t m, std::size_t depth, float* tiles)
{
    for (std::size_t i = 0; i < m; i += tile_rows) {
        const std::size_t rows = m - i < tile_rows ? m - i : tile_rows;
        const float* const from = a.data + i * a.row;
        float* const tile = tiles + i * depth;
        if (a.step == 1) {
            rows_to_columns(from, a.row, rows, depth, tile, tile_rows);
        } else {
            copy_rows(from, a.step, depth, rows, tile, tile_rows);
        }
    }
}

/// One panel of B that lies row by row: to [depth, columns], with zeros behind the n-th.
template <class V>
void pack_panel(const float* from, std::size_t row, std::size_t depth, std::size_t n,
                std::size_t columns, float* panel)
{
    using Lane = Lanes<V>;
    for (std::size_t p = 0; p < depth; ++p, from += row, panel += columns) {
        std::size_t j = 0;
        for (; j + Lane::size <= n; j += Lane::size) {
            Lane::store(panel + j, Lane::load(from + j));
        }
        for (; j < n; ++j) {
            panel[j] = from[j];
        }
        for (; j < columns; ++j) {
            panel[j] = 0.0F;
        }
    }
}

template <class V>
void pack_b(Strided b, std::size_t depth, std::size_t n, float* panels)
{
    for (std::size_t j = 0; j < n;) {
        const std::size_t columns = panel_vectors(vectors_for<V>(n - j)) * Lanes<V>::size;
        const std::size_t here = n - j < columns ? n - j : columns;
        const float* const from = b.data + j * b.step;
        float* const panel = panels + j * depth;
        if (b.step == 1) {
            pack_panel<V>(from, b.row, depth, here, columns, panel);
        } else {
            rows_to_columns(from, b.step, here, depth, panel, columns);
        }
        j += here;
    }
}

/// C = alpha sums + beta C for a whole tile.
template <class V, std::size_t rows, std::size_t vectors, bool reads_c>
[[gnu::always_inline]] inline void into_c(const Tile<V, rows, vectors>& tile, float alpha,
                                          float beta, float* c, std::size_t ldc)
{
    using Lane = Lanes<V>;
    const V product_factor = Lane::splat(alpha);
    const V c_factor = Lane::splat(beta);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < rows; ++i) {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < vectors; ++j) {
            float* const to = c + i * ldc + j * Lane::size;
            const V product = product_factor * tile.sum[i][j];
            Lane::store(to, reads_c ? Lane::fma(c_factor, Lane::load(to), product) : product);
        }
    }
}

/// The sums of a tile into C, of which n columns are there.
template <class V, std::size_t rows, std::size_t vectors, bool reads_c>
[[gnu::always_inline]] inline void into_columns_of_c(const Tile<V, rows, vectors>& tile,
                                                     const ProductBlock& block, std::size_t n,
                                                     float* c)
{
    constexpr std::size_t columns = vectors * Lanes<V>::size;
    if (n == columns) {
        into_c<V, rows, vectors, reads_c>(tile, block.alpha, block.beta, c, block.ldc);
        return;
    }
    // Go through a tile in memory: what lies behind the last column is not ours.
    float whole[rows * columns] = {};
    if (reads_c) {
        copy_rows(c, block.ldc, rows, n, whole, columns);
    }
    into_c<V, rows, vectors, reads_c>(tile, block.alpha, block.beta, whole, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        __builtin_memcpy(c + i * block.ldc, whole + i * columns, n * sizeof(float));
    }
}

/// One tile of C from one panel of B, of which n columns are there.
template <class V, std::size_t rows, std::size_t vectors>
void multiply_tile(const ProductBlock& block, const float* a, const float* b, std::size_t n,
                   float* c)
{
    // Ask for C while the sums are made: it is needed at the end, and may be far away.
    if (block.depth >= 64) {
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < n; j += 16) {
                __builtin_prefetch(c + i * block.ldc + j, 1);
            }
        }
    }
    Tile<V, rows, vectors> tile;
    tile.clear();
    tile.add_product(block.depth, a, block.a_row, block.a_step, b,
                     block.b_step == 0 ? tile.columns : block.b_step);
    if (block.beta == 0.0F) {
        into_columns_of_c<V, rows, vectors, false>(tile, block, n, c);
    } else {
        into_columns_of_c<V, rows, vectors, true>(tile, block, n, c);
    }
}

using MultiplyTile = void (*)(const ProductBlock&, const float*, const float*, std::size_t,
                              float*);

/// The tiles of one width, by their number of rows less one.
struct TilesOfOneWidth
{
    MultiplyTile of_rows[tile_rows];
};

template <class V, std::size_t vectors, std::size_t... less_one>
constexpr TilesOfOneWidth tiles_of_one_width(std::index_sequence<less_one...>)
{
    return {{multiply_tile<V, less_one + 1, vectors>...}};
}

template <class V>
void multiply_block(const ProductBlock& block)
{
    constexpr TilesOfOneWidth tiles[tile_vectors] = {
        tiles_of_one_width<V, 1>(std::make_index_sequence<tile_rows>{}),
        tiles_of_one_width<V, 2>(std::make_index_sequence<tile_rows>{}),
        tiles_of_one_width<V, 3>(std::make_index_sequence<tile_rows>{})};
    for (std::size_t j = 0; j < block.n;) {
        const std::size_t vectors = panel_vectors(vectors_for<V>(block.n - j));
        const std::size_t columns = vectors * Lanes<V>::size;
        const std::size_t here = block.n - j < columns ? block.n - j : columns;
        const float* const panel = block.b + (block.b_step == 0 ? j * block.depth : j);
        const float* a = block.a;
        for (std::size_t i = 0; i < block.m; i += tile_rows, a += block.a_tile) {
            const std::size_t rows = block.m - i < tile_rows ? block.m - i : tile_rows;
            tiles[vectors - 1].of_rows[rows - 1](block, a, panel, here,
                                                 block.c + i * block.ldc + j);
        }
        j += here;
    }
}

template <class V>
void one_tile(std::size_t depth, const float* a, const float* b, float* c)
{
    Tile<V, tile_rows, tile_vectors> tile;
    tile.clear();
    tile.add_product(depth, a, 1, tile_rows, b, tile.columns);
    tile.store(c, tile.columns);
}

template <class V>
constexpr MatrixProductKernels matrix_product_kernels()
{
    return {.tile_rows = tile_rows,
            .tile_columns = tile_vectors * Lanes<V>::size,
            .pack_a = pack_a,
            .pack_b = pack_b<V>,
            .multiply = multiply_block<V>,
            .tile = one_tile<V>,
            .tile_by_hand = tile_by_hand,
            .by_columns = multiply_by_columns,
            .by_rows = multiply_by_rows,
            .blocked = multiply_blocked,
            .packed = multiply_packed<OneLane>,
            .vectors = multiply_packed<V>};
}

} // namespace
