/// \file
/// \brief The register tile once more, in the intrinsics of AVX2: what the words of vector.inl
/// and tile.inl become, for one instruction set and one shape. A test compares it
/// with the other bit by bit.
namespace {

using attn::simd_transformer::TileProduct;

#if defined(__AVX2__) && !defined(__AVX512F__)
// [tile_by_hand]
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
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
#pragma GCC unroll 3
        for (std::size_t j = 0; j < 3; ++j) {
            _mm256_storeu_ps(c + i * 24 + j * 8, sum[i][j]);
        }
    }
}
// [tile_by_hand]
constexpr TileProduct tile_by_hand = tile_by_hand_avx2;
#else
constexpr TileProduct tile_by_hand = nullptr;
#endif

} // namespace
