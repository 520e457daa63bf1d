/// \file
/// \brief Few rows times a panel of weights, which become floats in registers.
namespace {

using attn::simd_transformer::DecodingPanelKernels;
using attn::simd_transformer::panel_columns;
using attn::simd_transformer::PanelRows;
using attn::simd_transformer::WeightFormat;
using attn::simd_transformer::WeightPanel;

template <class V>
inline typename Lanes<V>::Integers load_words(const std::int32_t* from)
{
    if constexpr (Lanes<V>::size == 1) {
        return {*from};
    } else {
        return Lanes<V>::Integers::load_unaligned(from);
    }
}

template <class V>
inline V to_floats(typename Lanes<V>::Integers x)
{
    if constexpr (Lanes<V>::size == 1) {
        return {static_cast<float>(x.value)};
    } else {
        return xsimd::to_float(x);
    }
}

// [unpack]
/// Weight number `k` of those that share 32 bits, as a float: exact, and without a shuffle. A bf16
/// is the upper half of a float. An int8 is moved to the highest byte: 2^24 times what it is.
template <class V, std::size_t weights_in_word, std::size_t k>
[[gnu::always_inline]] inline V unpacked(typename Lanes<V>::Integers words)
{
    constexpr int bits = 32 / int(weights_in_word);
    constexpr int up = 32 - bits * (int(k) + 1);
    if constexpr (up > 0) {
        words = Lanes<V>::template moved_up<up>(words);
    }
    if constexpr (k > 0) { // weights of lower numbers stand below it
        words = words & Lanes<V>::splat_bits(static_cast<std::int32_t>(~0U << (32 - bits)));
    }
    if constexpr (weights_in_word == 4) {
        return to_floats<V>(words);
    } else {
        return Lanes<V>::from_bits(words);
    }
}
// [unpack]

/// How many vectors of a panel are taken at a time, so that the sums of so many rows, the words
/// that they meet, a factor, a weight and a mask have registers.
template <class V, std::size_t rows>
constexpr std::size_t vectors_at_a_time()
{
    std::size_t vectors = panel_columns / Lanes<V>::size;
    while (vectors > 1 && (panel_columns / Lanes<V>::size % vectors != 0 ||
                           rows * vectors + 4 > n_registers)) {
        --vectors;
    }
    return vectors;
}

/// Some columns of some rows.
template <class V, std::size_t weights_in_word, std::size_t n_rows, std::size_t vectors>
struct FewRows
{
    V sum[n_rows][vectors];

    // [few_rows]
    /// Adds the products of the first n weights of 32 bits, or all; each meets every row.
    template <std::size_t k = 0>
    [[gnu::always_inline]] void add(const std::int32_t* words, const PanelRows& rows,
                                    const float* x, std::size_t n)
    {
#pragma GCC unroll 48
        for (std::size_t j = 0; j < vectors; ++j) {
            const V weight =
                unpacked<V, weights_in_word, k>(load_words<V>(words + j * Lanes<V>::size));
#pragma GCC unroll 8
            for (std::size_t r = 0; r < n_rows; ++r) {
                sum[r][j] = Lanes<V>::fma(Lanes<V>::splat(x[r * rows.ldx]), weight, sum[r][j]);
            }
        }
        if constexpr (k + 1 < weights_in_word) {
            if (k + 1 < n) {
                add<k + 1>(words, rows, x + 1, n);
            }
        }
    }
    // [few_rows]

    [[gnu::always_inline]] void multiply(const WeightPanel& panel, const PanelRows& rows,
                                         std::size_t column)
    {
        constexpr bool scaled = weights_in_word == 4;
#pragma GCC unroll 48
        for (std::size_t j = 0; j < vectors; ++j) {
#pragma GCC unroll 8
            for (std::size_t r = 0; r < n_rows; ++r) {
                sum[r][j] = scaled ? Lanes<V>::splat(0.0F)
                                   : Lanes<V>::load(panel.bias + column + j * Lanes<V>::size);
            }
        }
        const std::int32_t* words = panel.words + column;
        const float* x = rows.x;
        std::size_t left = panel.n_in;
        for (; left >= weights_in_word; left -= weights_in_word) {
            if constexpr (weights_in_word == 4) {
                __builtin_prefetch(reinterpret_cast<const char*>(words) + 1536);
                __builtin_prefetch(reinterpret_cast<const char*>(words) + 1536 + 64);
                __builtin_prefetch(reinterpret_cast<const char*>(words) + 1536 + 128);
            }
            add(words, rows, x, weights_in_word);
            words += panel_columns;
            x += weights_in_word;
        }
        if (left > 0) {
            add(words, rows, x, left);
        }
#pragma GCC unroll 48
        for (std::size_t j = 0; j < vectors; ++j) {
            const std::size_t first = column + j * Lanes<V>::size;
#pragma GCC unroll 8
            for (std::size_t r = 0; r < n_rows; ++r) {
                if (scaled) {
                    sum[r][j] = Lanes<V>::fma(sum[r][j], Lanes<V>::load(panel.scale + first),
                                              Lanes<V>::load(panel.bias + first));
                }
                Lanes<V>::store(rows.y + r * rows.ldy + first, sum[r][j]);
            }
        }
    }
};

/// So many rows as often as there are, from the first on.
/// \returns  those that are left
template <class V, std::size_t weights_in_word, std::size_t n_rows>
inline PanelRows multiply_by(const WeightPanel& panel, PanelRows rows)
{
    constexpr std::size_t vectors = vectors_at_a_time<V, n_rows>();
    while (rows.n >= n_rows) {
        for (std::size_t column = 0; column < panel_columns;
             column += vectors * Lanes<V>::size) {
            FewRows<V, weights_in_word, n_rows, vectors> few;
            few.multiply(panel, rows, column);
        }
        rows.n -= n_rows;
        rows.x += n_rows * rows.ldx;
        rows.y += n_rows * rows.ldy;
    }
    return rows;
}

template <class V, std::size_t weights_in_word>
void multiply_words(const WeightPanel& panel, PanelRows rows)
{
    if constexpr (n_registers == 32) {
        rows = multiply_by<V, weights_in_word, 8>(panel, rows);
    }
    rows = multiply_by<V, weights_in_word, 4>(panel, rows);
    rows = multiply_by<V, weights_in_word, 2>(panel, rows);
    multiply_by<V, weights_in_word, 1>(panel, rows);
}

template <class V>
void multiply_panel(const WeightPanel& panel, const PanelRows& rows)
{
    switch (panel.format) {
    case WeightFormat::float32:
        return multiply_words<V, 1>(panel, rows);
    case WeightFormat::bf16:
        return multiply_words<V, 2>(panel, rows);
    case WeightFormat::int8:
        return multiply_words<V, 4>(panel, rows);
    }
}

template <class V>
constexpr DecodingPanelKernels panel_kernels()
{
    return {.multiply = multiply_panel<V>};
}

} // namespace
