/// \file
/// \brief Which blocks, packed or not, in which order.
#include "common/kernels/gemm.hpp"

#include "common/kernels/caches.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstddef>

namespace attn {

namespace {

using kernels::ProductBlock;
using kernels::ProductKernels;
using kernels::Strided;

/// Rows of a block: what is packed of A stays in the second cache, beside two panels of B.
constexpr std::size_t block_rows = 64;
/// Columns of a block, a multiple of every tile: what is packed of B fits the third cache.
constexpr std::size_t block_columns = 1536;
/// A is packed if it is read by more panels of B than these columns have. Measured: below, the
/// copy takes as long as it saves.
constexpr std::size_t columns_worth_packing_a = 512;
/// A transposed A whose rows lie a multiple of so many bytes apart is packed already for more columns
/// than the second number: the column that a tile reads meets in a few sets of the first cache, and
/// what one tile has fetched is gone when the next one wants its other half.
constexpr std::size_t rows_that_meet = 2048;
constexpr std::size_t columns_worth_packing_them = 64;
/// B is packed if more tiles than these read it; of fewer, only if its rows do not lie one
/// number after the other, or are not whole vectors.
constexpr std::size_t tiles_worth_packing_b = 4;
/// One product C = start + alpha A B, with its factors as strided matrices.
template <typename T>
struct Product
{
    std::size_t m, n, k;
    Strided<T> a, b;
    T alpha;
    const T* start;        ///< null for zeros
    std::size_t start_row; ///< from one row of start to the next
    T* c;
    std::size_t ldc;
};

/// All rows of C, some of its columns, some of the depth: what one packed block of B is for.
template <typename T>
struct BlockOfB
{
    std::size_t first_p, depth;
    std::size_t first_j, columns;
    Strided<T> b; ///< its first entry
    T* panels;    ///< what it is packed into; null if it is read as it lies
};

/// The kernels and threads of one product.
template <typename T>
struct Workers
{
    const ProductKernels<T>& kernels;
    std::size_t n_threads;
};

/// For how deep a block there is memory. That of the deepest one, whatever the cache: what a training
/// takes is the same on every processor.
template <typename T>
std::size_t packed_depth(const Product<T>& product)
{
    return std::min(product.k, kernels::deepest_block);
}

template <typename T>
Strided<T> strided(Transpose transposed, const T* data, std::size_t ld)
{
    return transposed == Transpose::yes ? Strided<T>{data, 1, ld} : Strided<T>{data, ld, 1};
}

std::size_t divided_up(std::size_t n, std::size_t unit)
{
    return (n + unit - 1) / unit;
}

/// C = start: a product of no depth.
template <typename T>
void copy_start(const Product<T>& product)
{
    for (std::size_t i = 0; i < product.m; ++i) {
        for (std::size_t j = 0; j < product.n; ++j) {
            product.c[i * product.ldc + j] =
                product.start == nullptr ? T(0) : product.start[i * product.start_row + j];
        }
    }
}

/// How deep a block is: what is packed of A, the panel of B that is read and the next one, which is
/// on its way, stay in the second cache.
template <typename T>
std::size_t depth_of_blocks(const ProductKernels<T>& kernels)
{
    return kernels::block_depth(kernels::second_cache_bytes(),
                                (block_rows + 2 * kernels.tile_columns) * sizeof(T));
}

/// Pieces on the caller's thread if it is alone, without the cost of a team.
template <typename Work>
void for_each_piece(std::size_t n_pieces, std::size_t n_threads, const Work& work)
{
    if (n_threads == 1 || n_pieces == 1) {
        for (std::size_t piece = 0; piece < n_pieces; ++piece) {
            work(piece);
        }
    } else {
        parallel::for_each_index(n_pieces, n_threads, work);
    }
}

template <typename T>
void pack_block_of_b(const Workers<T>& by, const BlockOfB<T>& block)
{
    // A piece ends where a panel ends: never one vector before the last column, because of four
    // vectors that are left two panels are made.
    const std::size_t share =
        divided_up(divided_up(block.columns, by.kernels.tile_columns), by.n_threads);
    const std::size_t wide = std::min<std::size_t>(8, share) * by.kernels.tile_columns;
    const std::size_t n_vectors = divided_up(block.columns, by.kernels.lanes);
    const std::size_t n_pieces =
        std::max<std::size_t>(1, divided_up(n_vectors - 1, wide / by.kernels.lanes));
    for_each_piece(n_pieces, by.n_threads, [&](std::size_t piece) {
        const std::size_t j = piece * wide;
        const std::size_t here = piece + 1 == n_pieces ? block.columns - j : wide;
        by.kernels.pack_b({block.b.data + j * block.b.step, block.b.row, block.b.step},
                          block.depth, here, block.panels + j * block.depth);
    });
}

/// Rows of C that a thread takes at a time.
template <typename T>
std::size_t rows_of_a_piece(const Workers<T>& by, std::size_t m)
{
    if (by.n_threads == 1) {
        return block_rows;
    }
    const std::size_t tile = by.kernels.tile_rows;
    return std::min(block_rows, divided_up(divided_up(m, 8), tile) * tile);
}

/// Whether A is packed.
template <typename T>
bool packs_a(const Product<T>& product)
{
    const bool meet = product.a.step > 1 && product.a.step * sizeof(T) % rows_that_meet == 0;
    return product.alpha != T(1) || product.n > columns_worth_packing_a ||
           (meet && product.n > columns_worth_packing_them);
}

/// Some rows of C, from one block of B.
template <typename T>
void multiply_rows(const Workers<T>& by, const Product<T>& product, const BlockOfB<T>& block,
                   std::size_t first, std::size_t n_rows)
{
    const std::size_t tile = by.kernels.tile_rows;
    const Strided<T> a = {product.a.data + first * product.a.row +
                              block.first_p * product.a.step,
                          product.a.row, product.a.step};
    T* const c = product.c + first * product.ldc + block.first_j;
    ProductBlock<T> rows = {.m = n_rows,
                            .n = block.columns,
                            .depth = block.depth,
                            .a = a.data,
                            .a_row = a.row,
                            .a_step = a.step,
                            .a_tile = tile * a.row,
                            .b = block.panels == nullptr ? block.b.data : block.panels,
                            .b_step = block.panels == nullptr ? block.b.row : 0,
                            .start = c,
                            .start_row = product.ldc,
                            .c = c,
                            .ldc = product.ldc};
    if (block.first_p == 0) {
        rows.start = product.start == nullptr
                         ? nullptr
                         : product.start + first * product.start_row + block.first_j;
        rows.start_row = product.start_row;
    }
    if (!packs_a(product)) {
        by.kernels.multiply(rows);
        return;
    }
    Array<T> tiles =
        uninitialised<T>(Shape{divided_up(n_rows, tile) * tile * packed_depth(product)});
    by.kernels.pack_a(a, n_rows, block.depth, product.alpha, tiles.data());
    rows.a = tiles.data();
    rows.a_row = 1;
    rows.a_step = tile;
    rows.a_tile = tile * block.depth;
    by.kernels.multiply(rows);
}

/// All rows of C, from one block of B.
template <typename T>
void multiply_block_of_b(const Workers<T>& by, const Product<T>& product,
                         const BlockOfB<T>& block)
{
    if (block.panels != nullptr) {
        pack_block_of_b(by, block);
    }
    const std::size_t rows = rows_of_a_piece(by, product.m);
    for_each_piece(divided_up(product.m, rows), by.n_threads, [&](std::size_t piece) {
        const std::size_t first = piece * rows;
        multiply_rows(by, product, block, first, std::min(rows, product.m - first));
    });
}

/// The kernels and threads of kernels::execution() walk through B block by block.
template <typename T>
void compute(const Product<T>& product)
{
    if (product.m == 0 || product.n == 0) {
        return;
    }
    if (product.k == 0) {
        copy_start(product);
        return;
    }
    const kernels::Execution& how = kernels::execution();
    const bool alone =
        product.m * product.n * product.k < kernels::multiplications_worth_sharing;
    const Workers<T> by{kernels::of_type<T>(*how.kernels).products, alone ? 1 : how.n_threads};

    // Pack B, unless few rows read it and it is whole vectors wide.
    const std::size_t lanes = by.kernels.lanes;
    const bool as_it_lies = product.m <= tiles_worth_packing_b * by.kernels.tile_rows &&
                            product.b.step == 1 && product.n % lanes == 0;
    const std::size_t columns = divided_up(std::min(product.n, block_columns), lanes) * lanes;
    const std::size_t deepest = depth_of_blocks(by.kernels);
    Array<T> panels = uninitialised<T>(Shape{as_it_lies ? 0 : packed_depth(product) * columns});

    for (std::size_t j = 0; j < product.n; j += block_columns) {
        for (std::size_t p = 0; p < product.k; p += deepest) {
            const T* const b = product.b.data + p * product.b.row + j * product.b.step;
            multiply_block_of_b(by, product,
                                {.first_p = p,
                                 .depth = std::min(deepest, product.k - p),
                                 .first_j = j,
                                 .columns = std::min(block_columns, product.n - j),
                                 .b = {b, product.b.row, product.b.step},
                                 .panels = as_it_lies ? nullptr : panels.data()});
        }
    }
}

void expect_row_length(std::size_t stride, std::size_t n_columns, const char* name)
{
    expect(stride >= n_columns,
           "gemm: {} must be at least the {} columns of a stored row, got {}", name, n_columns,
           stride);
}

} // namespace

template <typename T>
void gemm(Transpose a_transposed, Transpose b_transposed, std::size_t m, std::size_t n,
          std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb,
          T beta, T* c, std::size_t ldc)
{
    expect_row_length(lda, a_transposed == Transpose::yes ? m : k, "lda");
    expect_row_length(ldb, b_transposed == Transpose::yes ? k : n, "ldb");
    expect_row_length(ldc, n, "ldc");
    expect(beta == T(0) || beta == T(1), "gemm: beta must be 0 or 1, got {}", beta);
    compute(Product<T>{.m = m,
                       .n = n,
                       .k = k,
                       .a = strided(a_transposed, a, lda),
                       .b = strided(b_transposed, b, ldb),
                       .alpha = alpha,
                       .start = beta == T(0) ? nullptr : c,
                       .start_row = ldc,
                       .c = c,
                       .ldc = ldc});
}

template <typename T>
void affine_product(std::size_t m, std::size_t n, std::size_t k, const T* x, const T* weight,
                    const T* bias, T* y)
{
    compute(Product<T>{.m = m,
                       .n = n,
                       .k = k,
                       .a = {x, k, 1},
                       .b = {weight, n, 1},
                       .alpha = T(1),
                       .start = bias,
                       .start_row = 0,
                       .c = y,
                       .ldc = n});
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template void gemm(Transpose, Transpose, std::size_t, std::size_t, std::size_t, T,         \
                       const T*, std::size_t, const T*, std::size_t, T, T*, std::size_t);      \
    template void affine_product(std::size_t, std::size_t, std::size_t, const T*, const T*,    \
                                 const T*, T*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn
