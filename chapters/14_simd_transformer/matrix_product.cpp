/// \file
/// \brief The bodies of matrix_product.hpp: which blocks, packed or not, in which order.
#include "chapters/14_simd_transformer/matrix_product.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::simd_transformer {

namespace {

/// Depth of a block: a tile of A of this depth fits the first cache, a panel of B the second.
constexpr std::size_t block_depth = 256;
/// Rows of a block: what is packed of A fits the second cache, beside a panel of B.
constexpr std::size_t block_rows = 128;
/// Columns of a block, a multiple of every tile: what is packed of B fits the third cache.
constexpr std::size_t block_columns = 1536;
/// A is packed if it is read by more panels of B than these columns have. Measured: below, the
/// copy takes as long as it saves.
constexpr std::size_t columns_worth_packing_a = 512;
/// B is packed if more tiles than these read it; of fewer, only if its rows do not lie one number
/// after the other, or are not whole vectors.
constexpr std::size_t tiles_worth_packing_b = 4;
/// What several threads share should be at least so many multiplications: a team takes some
/// microseconds to meet.
constexpr std::size_t worth_sharing = 500'000;

/// One product, with its factors as strided matrices.
struct StridedProduct
{
    std::size_t m, n, k;
    Strided a, b;
    float alpha, beta;
    float* c;
    std::size_t ldc;
};

/// All rows of C, some of its columns, some of the depth: what one packed block of B is for.
struct BlockOfB
{
    std::size_t first_p, depth;
    std::size_t first_j, columns;
    Strided b;     ///< its first entry
    float* panels; ///< what it is packed into; null if it is read as it lies
    float beta;    ///< of C, as the blocks before have left it
};

Strided strided(Transpose transposed, const float* data, std::size_t ld)
{
    return transposed == Transpose::yes ? Strided{data, 1, ld} : Strided{data, ld, 1};
}

std::size_t divided_up(std::size_t n, std::size_t unit)
{
    return (n + unit - 1) / unit;
}

/// C = beta C, without reading C if beta is 0.
void scale_rows(const StridedProduct& product)
{
    for (std::size_t i = 0; i < product.m; ++i) {
        float* const row = product.c + i * product.ldc;
        for (std::size_t j = 0; j < product.n; ++j) {
            row[j] = product.beta == 0.0F ? 0.0F : row[j] * product.beta;
        }
    }
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

void pack_block_of_b(const Execution& how, const BlockOfB& block)
{
    // A piece ends where a panel ends: never one vector before the last column, because of four
    // vectors that are left two panels are made.
    const MatrixProductKernels& kernels = how.kernels->matrix_product;
    const std::size_t lanes = how.kernels->lanes;
    const std::size_t wide = 8 * kernels.tile_columns;
    const std::size_t n_vectors = divided_up(block.columns, lanes);
    const std::size_t n_pieces =
        std::max<std::size_t>(1, divided_up(n_vectors - 1, wide / lanes));
    for_each_piece(n_pieces, how.n_threads, [&](std::size_t piece) {
        const std::size_t j = piece * wide;
        const std::size_t here = piece + 1 == n_pieces ? block.columns - j : wide;
        kernels.pack_b({block.b.data + j * block.b.step, block.b.row, block.b.step},
                       block.depth, here, block.panels + j * block.depth);
    });
}

/// Rows of C that a thread takes at a time.
std::size_t rows_of_a_piece(const Execution& how, std::size_t m)
{
    if (how.n_threads == 1) {
        return block_rows;
    }
    const std::size_t tile = how.kernels->matrix_product.tile_rows;
    return std::min(block_rows, divided_up(divided_up(m, 8), tile) * tile);
}

/// Some rows of C, from one block of B.
void multiply_rows(const Execution& how, const StridedProduct& product, const BlockOfB& block,
                   std::size_t first, std::size_t n_rows)
{
    const MatrixProductKernels& kernels = how.kernels->matrix_product;
    const std::size_t tile = kernels.tile_rows;
    const Strided a = {product.a.data + first * product.a.row + block.first_p * product.a.step,
                       product.a.row, product.a.step};
    ProductBlock rows = {.m = n_rows,
                         .n = block.columns,
                         .depth = block.depth,
                         .a = a.data,
                         .a_row = a.row,
                         .a_step = a.step,
                         .a_tile = tile * a.row,
                         .b = block.panels == nullptr ? block.b.data : block.panels,
                         .b_step = block.panels == nullptr ? block.b.row : 0,
                         .alpha = product.alpha,
                         .beta = block.beta,
                         .c = product.c + first * product.ldc + block.first_j,
                         .ldc = product.ldc};
    if (product.n <= columns_worth_packing_a) {
        kernels.multiply(rows);
        return;
    }
    Array<float> tiles =
        uninitialised<float>(Shape{divided_up(n_rows, tile) * tile * block.depth});
    kernels.pack_a(a, n_rows, block.depth, tiles.data());
    rows.a = tiles.data();
    rows.a_row = 1;
    rows.a_step = tile;
    rows.a_tile = tile * block.depth;
    kernels.multiply(rows);
}

/// All rows of C, from one block of B.
void multiply_block_of_b(const Execution& how, const StridedProduct& product,
                         const BlockOfB& block)
{
    if (block.panels != nullptr) {
        pack_block_of_b(how, block);
    }
    const std::size_t rows = rows_of_a_piece(how, product.m);
    for_each_piece(divided_up(product.m, rows), how.n_threads, [&](std::size_t piece) {
        const std::size_t first = piece * rows;
        multiply_rows(how, product, block, first, std::min(rows, product.m - first));
    });
}

/// Walks through B block by block.
void multiply_blocks(const Execution& how, const StridedProduct& product)
{
    // Pack B, unless few rows read it and it is whole vectors wide.
    const std::size_t lanes = how.kernels->lanes;
    const bool as_it_lies =
        product.m <= tiles_worth_packing_b * how.kernels->matrix_product.tile_rows &&
        product.b.step == 1 && product.n % lanes == 0;
    const std::size_t columns = divided_up(std::min(product.n, block_columns), lanes) * lanes;
    const std::size_t depth = std::min(product.k, block_depth);
    Array<float> panels = uninitialised<float>(Shape{as_it_lies ? 0 : depth * columns});

    for (std::size_t j = 0; j < product.n; j += block_columns) {
        for (std::size_t p = 0; p < product.k; p += block_depth) {
            const float* const b = product.b.data + p * product.b.row + j * product.b.step;
            multiply_block_of_b(how, product,
                                {.first_p = p,
                                 .depth = std::min(block_depth, product.k - p),
                                 .first_j = j,
                                 .columns = std::min(block_columns, product.n - j),
                                 .b = {b, product.b.row, product.b.step},
                                 .panels = as_it_lies ? nullptr : panels.data(),
                                 .beta = p == 0 ? product.beta : 1.0F});
        }
    }
}

void expect_row_length(std::size_t stride, std::size_t n_columns, const char* name)
{
    expect(stride >= n_columns,
           "multiply: {} must be at least the {} columns of a stored row, got {}", name,
           n_columns, stride);
}

} // namespace

void multiply(const Execution& how, Transpose a_transposed, Transpose b_transposed,
              std::size_t m, std::size_t n, std::size_t k, float alpha, const float* a,
              std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
              std::size_t ldc)
{
    expect(how.n_threads > 0, "multiply: there must be at least one thread");
    expect_row_length(lda, a_transposed == Transpose::yes ? m : k, "lda");
    expect_row_length(ldb, b_transposed == Transpose::yes ? k : n, "ldb");
    expect_row_length(ldc, n, "ldc");
    if (m == 0 || n == 0) {
        return;
    }
    const StridedProduct product = {.m = m,
                                    .n = n,
                                    .k = k,
                                    .a = strided(a_transposed, a, lda),
                                    .b = strided(b_transposed, b, ldb),
                                    .alpha = alpha,
                                    .beta = beta,
                                    .c = c,
                                    .ldc = ldc};
    if (k == 0 || alpha == 0.0F) {
        scale_rows(product);
        return;
    }
    const bool alone = m * n * k < worth_sharing;
    multiply_blocks({how.kernels, alone ? 1 : how.n_threads}, product);
}

} // namespace attn::simd_transformer
