/// \file
/// \brief The lower variants of the ladder: the matrix product in plain loops, row by row, and
/// what their order, blocks and copies change; without transposition, strides and threads, so
/// that nothing but the loops is seen, but for the products of whole models. They are compiled
/// for every instruction set; in the scalar one the compiler may make no vectors of them.
namespace {

using attn::kernels::ProductBlock;
using attn::kernels::Strided;
using attn::simd_transformer::PlainProducts;
using attn::simd_transformer::TileProduct;

// The register tile once more, in the intrinsics of AVX2: what the words of vector.inl and
// tile.inl become, for one instruction set and one shape. A test compares it with the other bit
// by bit.
#if defined(__AVX2__) && !defined(__AVX512F__)
inline void tile_by_hand_avx2(std::size_t depth, const float* a, const float* b, float* c)
{
    // Twelve sums, 4 rows of 3 registers.
    __m256 sum[4][3];
#pragma GCC unroll 4
    for (auto& row : sum) {
#pragma GCC unroll 3
        for (__m256& part : row) {
            part = _mm256_setzero_ps();
        }
    }
    // [tile_by_hand]
    // Three registers of B, and one number of A at a time in all lanes of the sixteenth.
    for (std::size_t p = 0; p < depth; ++p, a += 4, b += 24) {
        const __m256 b0 = _mm256_loadu_ps(b);
        const __m256 b1 = _mm256_loadu_ps(b + 8);
        const __m256 b2 = _mm256_loadu_ps(b + 16);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
            const __m256 factor = _mm256_broadcast_ss(a + i);
            sum[i][0] = _mm256_fmadd_ps(factor, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(factor, b1, sum[i][1]);
            sum[i][2] = _mm256_fmadd_ps(factor, b2, sum[i][2]);
        }
    }
    // [tile_by_hand]
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
#pragma GCC unroll 3
        for (std::size_t j = 0; j < 3; ++j) {
            _mm256_storeu_ps(c + i * 24 + j * 8, sum[i][j]);
        }
    }
}
constexpr TileProduct tile_by_hand = tile_by_hand_avx2;
#else
constexpr TileProduct tile_by_hand = nullptr;
#endif

/// Rows and columns of a block of B: it fills half of the first cache, or less. Wide rather
/// than deep, so that a number of C is asked for again only when its last store is done.
constexpr std::size_t plain_depth = 16;
constexpr std::size_t plain_width = 256;

constexpr std::size_t smaller(std::size_t a, std::size_t b)
{
    return a < b ? a : b;
}

inline void clear_matrix(float* c, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        c[i] = 0.0F;
    }
}

inline void multiply_by_columns(std::size_t m, std::size_t n, std::size_t k, const float* a,
                                const float* b, float* c)
{
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (std::size_t p = 0; p < k; ++p) {
                sum += static_cast<double>(a[i * k + p]) * static_cast<double>(b[p * n + j]);
            }
            c[i * n + j] = static_cast<float>(sum);
        }
    }
}

inline void multiply_by_rows(std::size_t m, std::size_t n, std::size_t k, const float* a,
                             const float* b, float* c)
{
    clear_matrix(c, m * n);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t p = 0; p < k; ++p) {
            const float factor = a[i * k + p];
            for (std::size_t j = 0; j < n; ++j) {
                c[i * n + j] = fused(factor, b[p * n + j], c[i * n + j]);
            }
        }
    }
}

inline void multiply_blocked(std::size_t m, std::size_t n, std::size_t k, const float* a,
                             const float* b, float* c)
{
    clear_matrix(c, m * n);
    for (std::size_t first_p = 0; first_p < k; first_p += plain_depth) {
        const std::size_t end_p = smaller(first_p + plain_depth, k);
        for (std::size_t first_j = 0; first_j < n; first_j += plain_width) {
            const std::size_t end_j = smaller(first_j + plain_width, n);
            for (std::size_t i = 0; i < m; ++i) {
                for (std::size_t p = first_p; p < end_p; ++p) {
                    const float factor = a[i * k + p];
                    for (std::size_t j = first_j; j < end_j; ++j) {
                        c[i * n + j] = fused(factor, b[p * n + j], c[i * n + j]);
                    }
                }
            }
        }
    }
}

/// y += a x.
template <class V>
inline void add_multiple(float a, const float* x, float* y, std::size_t n)
{
    const V factor = Lanes<V>::splat(a);
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY {
        at.store(y, Lanes<V>::fma(factor, at.load(x), at.load(y)));
    });
}

/// The same with each block of B copied together first, and rows added by vectors.
template <class V>
void multiply_packed(std::size_t m, std::size_t n, std::size_t k, const float* a,
                     const float* b, float* c)
{
    alignas(64) float block[plain_depth * plain_width];
    clear_matrix(c, m * n);
    for (std::size_t first_p = 0; first_p < k; first_p += plain_depth) {
        const std::size_t depth = smaller(plain_depth, k - first_p);
        for (std::size_t first_j = 0; first_j < n; first_j += plain_width) {
            const std::size_t width = smaller(plain_width, n - first_j);
            for (std::size_t p = 0; p < depth; ++p) {
                for (std::size_t j = 0; j < width; ++j) {
                    block[p * plain_width + j] = b[(first_p + p) * n + first_j + j];
                }
            }
            for (std::size_t i = 0; i < m; ++i) {
                for (std::size_t p = 0; p < depth; ++p) {
                    add_multiple<V>(a[i * k + first_p + p], block + p * plain_width,
                                    c + i * n + first_j, width);
                }
            }
        }
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

/// Tiles of one row.
inline void copy_rows(Strided<float> a, std::size_t m, std::size_t depth, float factor,
                      float* rows)
{
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t p = 0; p < depth; ++p) {
            rows[i * depth + p] = a.data[i * a.row + p * a.step] * factor;
        }
    }
}

/// Panels of one column.
inline void copy_columns(Strided<float> b, std::size_t depth, std::size_t n, float* columns)
{
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t p = 0; p < depth; ++p) {
            columns[j * depth + p] = b.data[p * b.row + j * b.step];
        }
    }
}

inline void multiply_entries(const ProductBlock<float>& block)
{
    const bool copied = block.b_step == 0;
    const std::size_t b_step = copied ? 1 : block.b_step;
    for (std::size_t i = 0; i < block.m; ++i) {
        const float* const a = block.a + i * block.a_tile;
        for (std::size_t j = 0; j < block.n; ++j) {
            const float* const b = block.b + (copied ? j * block.depth : j);
            float sum = block.start == nullptr ? 0.0F : block.start[i * block.start_row + j];
            for (std::size_t p = 0; p < block.depth; ++p) {
                sum = fused(a[p * block.a_step], b[p * b_step], sum);
            }
            block.c[i * block.ldc + j] = sum;
        }
    }
}

template <class V>
constexpr PlainProducts plain_products()
{
    return {.tile = one_tile<V>,
            .tile_by_hand = Lanes<V>::size == 8 ? tile_by_hand : nullptr,
            .by_columns = multiply_by_columns,
            .by_rows = multiply_by_rows,
            .blocked = multiply_blocked,
            .packed = multiply_packed<OneLane<float>>,
            .vectors = multiply_packed<V>,
            .for_models = {.tile_rows = 1,
                           .tile_columns = 1,
                           .lanes = 1,
                           .pack_a = copy_rows,
                           .pack_b = copy_columns,
                           .multiply = multiply_entries}};
}

} // namespace
