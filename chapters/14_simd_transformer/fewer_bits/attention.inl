/// \file
/// \brief Attention over numbers of 16 bits, between its two products. A lane is a query, as in
/// fused attention.
namespace {

using attn::simd_transformer::bf16_least_exponent;
using attn::simd_transformer::bf16_queries;
using attn::simd_transformer::Bf16Scores;

/// x >= 0 rounded to 16 bits, as the upper half of a float.
template <class V>
[[gnu::always_inline]] inline typename Lanes<V>::Integers rounded_bits(V x)
{
    using Lane = Lanes<V>;
    const auto bits = Lane::bits(x);
    const auto last_place = Lane::template moved_down<16>(bits) & Lane::splat_bits(1);
    return (bits + Lane::splat_bits(0x7fff) + last_place) &
           Lane::splat_bits(static_cast<std::int32_t>(0xffff0000U));
}

template <class V>
inline void store_words(std::int32_t* to, typename Lanes<V>::Integers words)
{
    __builtin_memcpy(to, &words, Lanes<V>::size * sizeof(std::int32_t));
}

template <class V>
void weigh_bf16(const Bf16Scores& at)
{
    using Lane = Lanes<V>;
    for (std::size_t j = 0; j < bf16_queries; j += Lane::size) {
        // Scale the scores, and find the largest.
        const V limits = Lane::load(at.limits + j);
        const V before = Lane::load(at.largest + j);
        V largest = before;
        for (std::size_t i = 0; i < at.n_keys; ++i) {
            float* const score = at.scores + i * bf16_queries + j;
            const V position = Lane::splat(static_cast<float>(at.first_key + i));
            const V scaled =
                Lane::where_less(position, limits, Lane::load(score) * Lane::splat(at.scale),
                                 Lane::splat(minus_infinity<float>));
            Lane::store(score, scaled);
            largest = Lane::max(largest, scaled);
        }
        // Take the exponentials, round them, and add up what is rounded.
        const V shift = Lane::max(Lane::splat(-3e38F), largest);
        const V shrink = exp2_of_nonpositive(before - shift);
        V total = Lane::load(at.total + j) * shrink;
        const auto weight = [&](std::size_t i) {
            const V distance = Lane::load(at.scores + i * bf16_queries + j) - shift;
            const auto bits = rounded_bits(
                Lane::where_less(distance, Lane::splat(bf16_least_exponent), Lane::splat(0.0F),
                                 exp2_of_nonpositive(distance)));
            total = total + Lane::from_bits(bits);
            return bits;
        };
        const std::size_t words_of_a_panel = (at.n_keys + 1) / 2 * bf16_panel;
        std::int32_t* to = at.weights + j / bf16_panel * words_of_a_panel + j % bf16_panel;
        for (std::size_t i = 0; i < at.n_keys; i += 2, to += bf16_panel) {
            const auto low = Lane::template moved_down<16>(weight(i));
            store_words<V>(to, i + 1 < at.n_keys ? low | weight(i + 1) : low);
        }
        Lane::store(at.largest + j, largest);
        Lane::store(at.total + j, total);
        Lane::store(at.shrink + j, shrink);
    }
}

template <class V>
void scale_query_rows(std::size_t n, const float* factors, float* x)
{
    using Lane = Lanes<V>;
    for (std::size_t i = 0; i < n; ++i, x += bf16_queries) {
        for (std::size_t j = 0; j < bf16_queries; j += Lane::size) {
            Lane::store(x + j, Lane::load(x + j) * Lane::load(factors + j));
        }
    }
}

/// And zeros lose their sign: whether a block of masked keys came after them is not to be seen.
template <class V>
void divide_query_rows(std::size_t n, const float* totals, float* x)
{
    using Lane = Lanes<V>;
    const V zero = Lane::splat(0.0F);
    for (std::size_t i = 0; i < n; ++i, x += bf16_queries) {
        for (std::size_t j = 0; j < bf16_queries; j += Lane::size) {
            const V total = Lane::load(totals + j);
            const V divisor = Lane::where_less(zero, total, total, Lane::splat(1.0F));
            Lane::store(x + j, Lane::quotient(Lane::load(x + j), divisor) + zero);
        }
    }
}

template <class V>
constexpr attn::simd_transformer::Bf16Kernels bf16_kernels()
{
    return {.multiply = multiply_bf16<V>,
            .for_models = rounded_products<V>(),
            .weigh = weigh_bf16<V>,
            .scale_rows = scale_query_rows<V>,
            .divide_rows = divide_query_rows<V>};
}

} // namespace
