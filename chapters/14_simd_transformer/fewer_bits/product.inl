/// \file
/// \brief The product over numbers of 16 bits, in vectors of single precision. Lanes lie across the
/// columns, so each entry's chains are the definition's.
#include "chapters/14_simd_transformer/fewer_bits/definition.inl"

namespace {

using attn::simd_transformer::bf16_depth;
using attn::simd_transformer::bf16_panel;
using attn::simd_transformer::Bf16Product;

// [flush_to_zero]
/// While it lives, this thread takes numbers below the normal ones for zeros, and makes them zeros.
class FlushToZero
{
public:
#if defined(__x86_64__)
    static constexpr bool exists = true;
    FlushToZero()
    {
        _mm_setcsr(before_ | 0x8040U);
    } // results, and arguments
    ~FlushToZero()
    {
        _mm_setcsr(before_);
    }

private:
    unsigned before_ = _mm_getcsr();
#elif defined(__aarch64__)
    static constexpr bool exists = true;
    FlushToZero()
    {
        asm volatile("mrs %0, fpcr" : "=r"(before_));
        set(before_ | std::uint64_t{1} << 24U);
    }
    ~FlushToZero()
    {
        set(before_);
    }

private:
    static void set(std::uint64_t mode)
    {
        asm volatile("msr fpcr, %0" ::"r"(mode));
    }
    std::uint64_t before_;
#else
    static constexpr bool exists = false;
    FlushToZero() {}

#endif
public:
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;
};
// [flush_to_zero]

/// Whether a fused step of this set is the definition's for all numbers. Without such a step, a
/// product must be normal; ARM decides before it rounds what is below the normal numbers.
#if defined(__x86_64__) && defined(__FMA__)
constexpr bool any_numbers = true;
#else
constexpr bool any_numbers = false;
#endif

/// Rows of C that are worked on together: two chains each in so many vectors.
constexpr std::size_t bf16_rows = 6;
template <class V>
constexpr std::size_t bf16_vectors =
    n_registers == 32 && 2 * Lanes<V>::size <= bf16_panel ? 2 : 1;

/// Depth of what is unpacked of A at a time.
constexpr std::size_t bf16_strip_depth = 256;
static_assert(bf16_strip_depth % bf16_depth == 0);

/// Some rows of A as floats, some of their columns.
struct Bf16Strip
{
    std::size_t n_rows; ///< at most bf16_rows
    std::size_t depth;  ///< at most bf16_strip_depth
    /// By columns, with zeros where there is no row, and one column more.
    alignas(64) float a[(bf16_strip_depth + 1) * bf16_rows];
};

inline float float_of(std::uint32_t bf16)
{
    return __builtin_bit_cast(float, bf16 << 16U);
}

/// The upper half of x, rounded to even; x is finite.
inline std::uint32_t rounded_to_bf16(float x)
{
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    return (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
}

/// Fills a strip.
/// \param bf16  (i, p) is the bits of row i's p-th number
template <class Bits>
inline void fill_strip(std::size_t n_rows, std::size_t depth, const Bits& bf16,
                       Bf16Strip& strip)
{
    strip.n_rows = n_rows;
    strip.depth = depth;
    for (std::size_t i = 0; i < bf16_rows; ++i) {
        for (std::size_t p = 0; p < depth + 1; ++p) {
            strip.a[p * bf16_rows + i] = i < n_rows && p < depth ? float_of(bf16(i, p)) : 0.0F;
        }
    }
}

/// Number p of column j in a panel.
inline float panel_number(const std::int32_t* panel, std::size_t p, std::size_t j)
{
    const auto word = static_cast<std::uint32_t>(panel[p / 2 * bf16_panel + j]);
    return __builtin_bit_cast(float, p % 2 == 0 ? word << 16U : word & 0xffff0000U);
}

/// Widens a range of magnitudes to x; what is below the normal numbers does not count.
inline void widen(float (&range)[2], float x)
{
    const float magnitude = __builtin_fabsf(x);
    range[0] = magnitude >= 0x1p-126F && magnitude < range[0] ? magnitude : range[0];
    range[1] = magnitude > range[1] ? magnitude : range[1];
}

/// Whether every product of a strip and a panel is zero or a normal number.
inline bool products_are_normal(const Bf16Strip& strip, const std::int32_t* panel)
{
    float of_a[] = {1.0F, 1.0F};
    for (std::size_t i = 0; i < strip.depth * bf16_rows; ++i) {
        widen(of_a, strip.a[i]);
    }
    float of_b[] = {1.0F, 1.0F};
    for (std::size_t i = 0; i < strip.depth * bf16_panel; ++i) {
        widen(of_b, panel_number(panel, i / bf16_panel, i % bf16_panel));
    }
    return of_a[0] * of_b[0] >= 0x1p-126F && of_a[1] * of_b[1] <= 0x1.fffffep127F;
}

/// a b + c: products are exact, so that it does not matter whether the step is fused.
template <class V>
[[gnu::always_inline]] inline V bf16_step(V a, V b, V c)
{
#if defined(__x86_64__) && !defined(__FMA__)
    return a * b + c;
#else
    return Lanes<V>::fma(a, b, c);
#endif
}

// [bf16_tile]
/// sums [bf16_rows, some columns of a panel] += a strip times these columns.
template <class V>
[[gnu::always_inline]] inline void multiply_columns(const Bf16Strip& strip,
                                                    const std::int32_t* columns, float* sums)
{
    using Lane = Lanes<V>;
    constexpr std::size_t vectors = bf16_vectors<V>;
    const float* a = strip.a;
    for (std::size_t first = 0; first < strip.depth; first += bf16_depth) {
        V even[bf16_rows][vectors];
        V odd[bf16_rows][vectors];
#pragma GCC unroll 6
        for (std::size_t i = 0; i < bf16_rows; ++i) {
#pragma GCC unroll 2
            for (std::size_t j = 0; j < vectors; ++j) {
                even[i][j] = odd[i][j] = Lane::splat(0.0F);
            }
        }
        const std::size_t left = strip.depth - first;
        const std::size_t depth = left < bf16_depth ? left : bf16_depth;
        for (std::size_t p = 0; p < depth; p += 2) {
            V first_of_pair[vectors];
            V second[vectors];
#pragma GCC unroll 2
            for (std::size_t j = 0; j < vectors; ++j) {
                const auto words = load_words<V>(columns + j * Lane::size);
                first_of_pair[j] = unpacked<V, 2, 0>(words);
                second[j] = unpacked<V, 2, 1>(words);
            }
#pragma GCC unroll 6
            for (std::size_t i = 0; i < bf16_rows; ++i) {
                const V factor = Lane::splat(a[i]);
                const V next = Lane::splat(a[bf16_rows + i]);
#pragma GCC unroll 2
                for (std::size_t j = 0; j < vectors; ++j) {
                    even[i][j] = bf16_step(factor, first_of_pair[j], even[i][j]);
                    odd[i][j] = bf16_step(next, second[j], odd[i][j]);
                }
            }
            a += 2 * bf16_rows;
            columns += bf16_panel;
        }
        // Where the depth ends inside of a block, all that is left of it is to add zero.
        const V zero = Lane::splat(0.0F);
#pragma GCC unroll 6
        for (std::size_t i = 0; i < bf16_rows; ++i) {
#pragma GCC unroll 2
            for (std::size_t j = 0; j < vectors; ++j) {
                float* const sum = sums + i * bf16_panel + j * Lane::size;
                Lane::store(sum, Lane::load(sum) + ((even[i][j] + zero) + (odd[i][j] + zero)));
            }
        }
    }
}
// [bf16_tile]

/// The same for all columns of a panel. Never inlined: nothing of it may leave the scope of the
/// guard around its call.
template <class V>
[[gnu::noinline]] void multiply_panel_of_bf16(const Bf16Strip& strip, const std::int32_t* panel,
                                              float* sums)
{
    constexpr std::size_t step = bf16_vectors<V> * Lanes<V>::size;
    for (std::size_t column = 0; column < bf16_panel; column += step) {
        multiply_columns<V>(strip, panel + column, sums + column);
    }
}

/// The same by the definition, in the processor's usual mode.
inline void define_panel(const Bf16Strip& strip, const std::int32_t* panel, float* sums)
{
    for (std::size_t i = 0; i < strip.n_rows; ++i) {
        for (std::size_t j = 0; j < bf16_panel; ++j) {
            const auto left = [&](std::size_t p) {
                return p < strip.depth ? flushed(strip.a[p * bf16_rows + i]) : 0.0F;
            };
            const auto right = [&](std::size_t p) {
                return p < strip.depth ? flushed(panel_number(panel, p, j)) : 0.0F;
            };
            float& sum = sums[i * bf16_panel + j];
            sum = add_inner_product(strip.depth, left, right, sum);
        }
    }
}

/// C += a strip of A times a panel of B, of which n columns are there.
template <class V>
void add_strip(const Bf16Strip& strip, const std::int32_t* panel, std::size_t n, float* c,
               std::size_t ldc)
{
    alignas(64) float sums[bf16_rows * bf16_panel] = {};
    for (std::size_t i = 0; i < strip.n_rows; ++i) {
        __builtin_memcpy(sums + i * bf16_panel, c + i * ldc, n * sizeof(float));
    }
    if (FlushToZero::exists && (any_numbers || products_are_normal(strip, panel))) {
        [[maybe_unused]] const FlushToZero guard;
        multiply_panel_of_bf16<V>(strip, panel, sums);
    } else {
        define_panel(strip, panel, sums);
    }
    for (std::size_t i = 0; i < strip.n_rows; ++i) {
        __builtin_memcpy(c + i * ldc, sums + i * bf16_panel, n * sizeof(float));
    }
}

inline std::size_t at_most(std::size_t n, std::size_t bound)
{
    return n < bound ? n : bound;
}

template <class V>
void multiply_bf16(const Bf16Product& product)
{
    const std::size_t panel_words = (product.k + 1) / 2 * bf16_panel;
    Bf16Strip strip;
    for (std::size_t first = 0; first < product.k; first += bf16_strip_depth) {
        for (std::size_t i = 0; i < product.m; i += bf16_rows) {
            const auto* const a = product.a + i * product.lda + first;
            fill_strip(
                at_most(product.m - i, bf16_rows), at_most(product.k - first, bf16_strip_depth),
                [&](std::size_t row, std::size_t p) -> std::uint32_t {
                    return a[row * product.lda + p].bits;
                },
                strip);
            const std::int32_t* panel = product.b + first / 2 * bf16_panel;
            for (std::size_t j = 0; j < product.n; j += bf16_panel, panel += panel_words) {
                add_strip<V>(strip, panel, at_most(product.n - j, bf16_panel),
                             product.c + i * product.ldc + j, product.ldc);
            }
        }
    }
}

// ---------------------------------------------------------------- behind the book's products

/// Some columns of B, rounded, as a panel.
inline void pack_rounded(Strided<float> b, std::size_t depth, std::size_t n,
                         std::int32_t* panel)
{
    for (std::size_t p = 0; p < depth; p += 2, panel += bf16_panel) {
        for (std::size_t j = 0; j < bf16_panel; ++j) {
            const auto number = [&](std::size_t row) -> std::uint32_t {
                return j < n && row < depth ? rounded_to_bf16(b.data[row * b.row + j * b.step])
                                            : 0;
            };
            panel[j] = static_cast<std::int32_t>(number(p) | number(p + 1) << 16U);
        }
    }
}

/// Panels of B, in memory for twice their bytes.
inline void pack_rounded_panels(Strided<float> b, std::size_t depth, std::size_t n,
                                float* panels)
{
    for (std::size_t j = 0; j < n; j += bf16_panel) {
        pack_rounded({b.data + j * b.step, b.row, b.step}, depth, at_most(n - j, bf16_panel),
                     reinterpret_cast<std::int32_t*>(panels + j * depth));
    }
}

template <class V>
void multiply_rounded(const ProductBlock<float>& block)
{
    for (std::size_t i = 0; i < block.m; ++i) {
        for (std::size_t j = 0; j < block.n; ++j) {
            block.c[i * block.ldc + j] =
                block.start == nullptr ? 0.0F : block.start[i * block.start_row + j];
        }
    }
    Bf16Strip strip;
    std::int32_t own_panel[bf16_strip_depth / 2 * bf16_panel];
    for (std::size_t first = 0; first < block.depth; first += bf16_strip_depth) {
        const std::size_t depth = at_most(block.depth - first, bf16_strip_depth);
        for (std::size_t i = 0; i < block.m; i += bf16_rows) {
            const float* const a = block.a + i * block.a_tile + first * block.a_step;
            fill_strip(
                at_most(block.m - i, bf16_rows), depth,
                [&](std::size_t row, std::size_t p) {
                    return rounded_to_bf16(a[row * block.a_tile + p * block.a_step]);
                },
                strip);
            for (std::size_t j = 0; j < block.n; j += bf16_panel) {
                const std::size_t n = at_most(block.n - j, bf16_panel);
                const std::int32_t* panel = own_panel;
                if (block.b_step == 0) {
                    panel = reinterpret_cast<const std::int32_t*>(block.b + j * block.depth) +
                            first / 2 * bf16_panel;
                } else {
                    pack_rounded({block.b + first * block.b_step + j, block.b_step, 1}, depth,
                                 n, own_panel);
                }
                add_strip<V>(strip, panel, n, block.c + i * block.ldc + j, block.ldc);
            }
        }
    }
}

template <class V>
constexpr ProductKernels<float> rounded_products()
{
    return {.tile_rows = 1,
            .tile_columns = bf16_panel,
            .lanes = bf16_panel,
            .pack_a = copy_rows,
            .pack_b = pack_rounded_panels,
            .multiply = multiply_rounded<V>};
}

} // namespace
