#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"

#if defined(__x86_64__) && defined(__linux__)
#define ATTN_HAS_AMX 1
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstdint>

namespace attn::simd_transformer {

#if defined(ATTN_HAS_AMX)

namespace {

/// Rows of a tile, and words of 32 bits in each.
constexpr std::size_t side = 16;
/// Depth of what is copied of A at a time.
constexpr std::size_t strip_depth = 512;

/// What a thread says of its eight tiles before it uses them.
struct alignas(64) TileConfiguration
{
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t bytes_in_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfiguration) == 64);

/// What a pair of tiles of A meets: sides of the depth, whole ones.
struct Sides
{
    const BFloat16* a;     ///< [32, strip_depth]
    const std::int32_t* b; ///< [n * 16, bf16_panel]
    std::size_t n;
};

// [amx_tiles]
/// C [32, 32] += A B, in four tiles.
__attribute__((target("amx-tile,amx-bf16"))) void multiply_tiles(const Sides& sides, float* c)
{
    constexpr std::size_t a_bytes = strip_depth * sizeof(BFloat16);
    constexpr std::size_t b_bytes = bf16_panel * sizeof(std::int32_t);
    constexpr std::size_t c_bytes = bf16_panel * sizeof(float);
    _tile_loadd(0, c, c_bytes);
    _tile_loadd(1, c + side, c_bytes);
    _tile_loadd(2, c + side * bf16_panel, c_bytes);
    _tile_loadd(3, c + side * bf16_panel + side, c_bytes);
    for (std::size_t i = 0; i < sides.n; ++i) {
        const BFloat16* const a = sides.a + i * bf16_depth;
        const std::int32_t* const b = sides.b + i * side * bf16_panel;
        _tile_loadd(4, a, a_bytes);
        _tile_loadd(5, a + side * strip_depth, a_bytes);
        _tile_loadd(6, b, b_bytes);
        _tile_loadd(7, b + side, b_bytes);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, c, c_bytes);
    _tile_stored(1, c + side, c_bytes);
    _tile_stored(2, c + side * bf16_panel, c_bytes);
    _tile_stored(3, c + side * bf16_panel + side, c_bytes);
}
// [amx_tiles]

__attribute__((target("amx-tile"))) void configure_tiles()
{
    const TileConfiguration configuration;
    _tile_loadconfig(&configuration);
}

__attribute__((target("amx-tile"))) void release_tiles()
{
    _tile_release();
}

/// Rows of A with zeros after the last row, and after the depth up to a whole side.
struct alignas(64) CopiedRows
{
    BFloat16 a[2 * side * strip_depth];

    void copy(const Bf16Product& product, std::size_t row, std::size_t first, std::size_t depth)
    {
        const std::size_t whole = (depth + bf16_depth - 1) / bf16_depth * bf16_depth;
        for (std::size_t i = 0; i < 2 * side; ++i) {
            const std::size_t there = row + i < product.m ? depth : 0;
            BFloat16* const to = a + i * strip_depth;
            if (there > 0) {
                std::copy_n(product.a + (row + i) * product.lda + first, there, to);
            }
            std::fill(to + there, to + whole, BFloat16{0});
        }
    }
};

/// Adds 32 rows of A times a panel, of which n columns are there, to 32 rows of C, of which
/// n_rows are there.
void add_rows(const CopiedRows& rows, const std::int32_t* panel, std::size_t depth,
              std::size_t n_rows, std::size_t n, float* c, std::size_t ldc)
{
    alignas(64) float sums[2 * side * bf16_panel] = {};
    for (std::size_t i = 0; i < n_rows; ++i) {
        std::copy_n(c + i * ldc, n, sums + i * bf16_panel);
    }
    const std::size_t n_whole = depth / bf16_depth;
    multiply_tiles({rows.a, panel, n_whole}, sums);
    if (depth % bf16_depth != 0) {
        // The panel ends with the depth: what is missing of the last side are zeros.
        alignas(64) std::int32_t last[side * bf16_panel] = {};
        const std::size_t pairs = (depth % bf16_depth + 1) / 2;
        std::copy_n(panel + n_whole * side * bf16_panel, pairs * bf16_panel, last);
        multiply_tiles({rows.a + n_whole * bf16_depth, last, 1}, sums);
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
        std::copy_n(sums + i * bf16_panel, n, c + i * ldc);
    }
}

/// Whether the processor has both halves of AMX, and the system its tiles (Linux: the feature of
/// number 18, asked for by ARCH_REQ_XCOMP_PERM).
bool ask_for_amx()
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    constexpr unsigned bf16_and_tiles = 1U << 22U | 1U << 24U;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 ||
        (edx & bf16_and_tiles) != bf16_and_tiles) {
        return false;
    }
    constexpr long request_permission = 0x1023;
    constexpr long tile_data = 18;
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

} // namespace

bool amx_is_granted()
{
    static const bool granted = ask_for_amx();
    return granted;
}

void multiply_by_amx(const Bf16Product& product)
{
    const std::size_t panel_words = (product.k + 1) / 2 * bf16_panel;
    CopiedRows rows;
    configure_tiles();
    for (std::size_t first = 0; first < product.k; first += strip_depth) {
        const std::size_t depth = std::min(strip_depth, product.k - first);
        for (std::size_t i = 0; i < product.m; i += 2 * side) {
            rows.copy(product, i, first, depth);
            const std::int32_t* panel = product.b + first / 2 * bf16_panel;
            for (std::size_t j = 0; j < product.n; j += bf16_panel, panel += panel_words) {
                add_rows(rows, panel, depth, std::min(2 * side, product.m - i),
                         std::min(bf16_panel, product.n - j), product.c + i * product.ldc + j,
                         product.ldc);
            }
        }
    }
    release_tiles();
}

#else

bool amx_is_granted()
{
    return false;
}

void multiply_by_amx(const Bf16Product&) {}

#endif

} // namespace attn::simd_transformer
