/// \file
/// \brief Packing, and the walk over a block of C by register tiles. A tile is as many rows as
/// are left, up to tile_rows; a panel is as many vectors as are left, up to tile_vectors. Each
/// shape of tile is compiled by itself, so that the sums of all of them stay in registers. An
/// entry's chain is the same in each.
#include <utility>

namespace {

using attn::kernels::ProductBlock;
using attn::kernels::ProductKernels;
using attn::kernels::Strided;

/// How many vectors the next panel has. Four that are left make two panels of two: one vector
/// by itself would load more than it computes.
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

template <class V>
void pack_a(Strided<NumberOf<V>> a, std::size_t m, std::size_t depth, NumberOf<V> factor,
            NumberOf<V>* tiles)
{
    for (std::size_t i = 0; i < m; i += tile_rows) {
        const std::size_t rows = m - i < tile_rows ? m - i : tile_rows;
        const NumberOf<V>* const from = a.data + i * a.row;
        NumberOf<V>* const tile = tiles + i * depth;
        if (a.step == 1) {
            rows_to_columns(from, a.row, rows, depth, tile, tile_rows);
        } else {
            copy_rows(from, a.step, depth, rows, tile, tile_rows);
        }
        for (std::size_t k = 0; k < depth * tile_rows && factor != NumberOf<V>(1); ++k) {
            tile[k] *= factor;
        }
    }
}

/// One panel of B that lies row by row: to [depth, columns], with zeros after the n-th.
template <class V>
void pack_panel(const NumberOf<V>* from, std::size_t row, std::size_t depth, std::size_t n,
                std::size_t columns, NumberOf<V>* panel)
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
            panel[j] = NumberOf<V>(0);
        }
    }
}

template <class V>
void pack_b(Strided<NumberOf<V>> b, std::size_t depth, std::size_t n, NumberOf<V>* panels)
{
    for (std::size_t j = 0; j < n;) {
        const std::size_t columns = panel_vectors(vectors_for<V>(n - j)) * Lanes<V>::size;
        const std::size_t here = n - j < columns ? n - j : columns;
        const NumberOf<V>* const from = b.data + j * b.step;
        NumberOf<V>* const panel = panels + j * depth;
        if (b.step == 1) {
            pack_panel<V>(from, b.row, depth, here, columns, panel);
        } else {
            rows_to_columns(from, b.step, here, depth, panel, columns);
        }
        j += here;
    }
}

/// The beginning of a tile's chains: zeros, or n columns of what is given, and behind them
/// zeros.
template <class V, std::size_t rows, std::size_t vectors>
[[gnu::always_inline]] inline void begin_tile(Tile<V, rows, vectors>& tile, std::size_t n,
                                              const NumberOf<V>* start, std::size_t step)
{
    if (start == nullptr) {
        tile.clear();
    } else if (n == tile.columns) {
        tile.load(start, step);
    } else {
        NumberOf<V> whole[rows * Tile<V, rows, vectors>::columns];
        copy_rows(start, step, rows, n, whole, tile.columns);
        tile.load(whole, tile.columns);
    }
}

/// The sums of a tile into C, of which n columns are there.
template <class V, std::size_t rows, std::size_t vectors>
[[gnu::always_inline]] inline void end_tile(const Tile<V, rows, vectors>& tile, std::size_t n,
                                            NumberOf<V>* c, std::size_t ldc)
{
    if (n == tile.columns) {
        tile.store(c, ldc);
        return;
    }
    // Go through a tile in memory: what lies behind the last column is not ours.
    NumberOf<V> whole[rows * Tile<V, rows, vectors>::columns];
    tile.store(whole, tile.columns);
    for (std::size_t i = 0; i < rows; ++i) {
        __builtin_memcpy(c + i * ldc, whole + i * tile.columns, n * sizeof(NumberOf<V>));
    }
}

/// The part of the next panel of B that is asked for while a tile is computed: each tile asks for as
/// much as lets the last one finish. None behind the last panel, nor where too few tiles would have to
/// ask for too much.
template <class V>
Ahead<NumberOf<V>> part_of_next_panel(const ProductBlock<NumberOf<V>>& block,
                                      const NumberOf<V>* panel, std::size_t columns,
                                      std::size_t row, std::size_t left)
{
    if (block.b_step != 0 || left <= columns || block.m < 4 * tile_rows) {
        return {nullptr, 0};
    }
    const std::size_t step = (columns * tile_rows + block.m - 1) / block.m;
    return {panel + columns * block.depth + row / tile_rows * step * block.depth, step};
}

/// One tile of C from one panel of B, of which n columns are there.
template <class V, std::size_t rows, std::size_t vectors>
void multiply_tile(const ProductBlock<NumberOf<V>>& block, const NumberOf<V>* a,
                   const NumberOf<V>* b, std::size_t n, const NumberOf<V>* start,
                   NumberOf<V>* c, Ahead<NumberOf<V>> next)
{
    // A deep product has time to fetch C meanwhile.
    if (block.depth >= 64) {
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < n; j += n_parts<NumberOf<V>>) {
                __builtin_prefetch(c + i * block.ldc + j, 1);
            }
        }
    }
    Tile<V, rows, vectors> tile;
    begin_tile(tile, n, start, block.start_row);
    const std::size_t b_step = block.b_step == 0 ? tile.columns : block.b_step;
    if (next.step == 0) {
        tile.add_product(block.depth, a, block.a_row, block.a_step, b, b_step);
    } else {
        tile.add_product(block.depth, a, block.a_row, block.a_step, b, b_step, next);
    }
    end_tile(tile, n, c, block.ldc);
}

template <class T>
using MultiplyTile = void (*)(const ProductBlock<T>&, const T*, const T*, std::size_t, const T*,
                              T*, Ahead<T>);

/// The tiles of one width, by their number of rows less one.
template <class T>
struct TilesOfOneWidth
{
    MultiplyTile<T> of_rows[tile_rows];
};

template <class V, std::size_t vectors, std::size_t... less_one>
constexpr TilesOfOneWidth<NumberOf<V>> tiles_of_one_width(std::index_sequence<less_one...>)
{
    return {{multiply_tile<V, less_one + 1, vectors>...}};
}

template <class V>
void multiply_block(const ProductBlock<NumberOf<V>>& block)
{
    using T = NumberOf<V>;
    constexpr TilesOfOneWidth<T> tiles[tile_vectors] = {
        tiles_of_one_width<V, 1>(std::make_index_sequence<tile_rows>{}),
        tiles_of_one_width<V, 2>(std::make_index_sequence<tile_rows>{}),
        tiles_of_one_width<V, 3>(std::make_index_sequence<tile_rows>{})};
    for (std::size_t j = 0; j < block.n;) {
        const std::size_t vectors = panel_vectors(vectors_for<V>(block.n - j));
        const std::size_t columns = vectors * Lanes<V>::size;
        const std::size_t here = block.n - j < columns ? block.n - j : columns;
        const T* const panel = block.b + (block.b_step == 0 ? j * block.depth : j);
        const T* a = block.a;
        for (std::size_t i = 0; i < block.m; i += tile_rows, a += block.a_tile) {
            const std::size_t rows = block.m - i < tile_rows ? block.m - i : tile_rows;
            const T* const start =
                block.start == nullptr ? nullptr : block.start + i * block.start_row + j;
            const Ahead<T> next = part_of_next_panel<V>(block, panel, columns, i, block.n - j);
            tiles[vectors - 1].of_rows[rows - 1](block, a, panel, here, start,
                                                 block.c + i * block.ldc + j, next);
        }
        j += here;
    }
}

template <class V>
constexpr ProductKernels<NumberOf<V>> product_kernels()
{
    return {.tile_rows = tile_rows,
            .tile_columns = tile_vectors * Lanes<V>::size,
            .lanes = Lanes<V>::size,
            .pack_a = pack_a<V>,
            .pack_b = pack_b<V>,
            .multiply = multiply_block<V>};
}

} // namespace
