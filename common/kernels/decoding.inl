/// \file
/// \brief The bodies of decoding.hpp.
namespace {

using attn::simd_transformer::DecodingKernels;
using attn::simd_transformer::RowMemory;
using attn::simd_transformer::RowProduct;

// [row_columns]
/// Columns first to first + vectors lanes of x W + b + rest. Each column is one sum from the
/// first row of W to the last, whatever columns stand beside it.
template <class V, std::size_t vectors>
[[gnu::always_inline]] inline void row_columns(const RowProduct& product, const float* x,
                                               std::size_t first, float* columns)
{
    using Lane = Lanes<V>;
    V sum[vectors];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        const std::size_t at = first + j * Lane::size;
        sum[j] = product.bias != nullptr ? Lane::load(product.bias + at) : Lane::splat(0.0F);
        if (product.rest != nullptr) {
            sum[j] = sum[j] + Lane::load(product.rest + at);
        }
    }
    const float* weight = product.weight + first;
    for (std::size_t i = 0; i < product.n_in; ++i, weight += product.n_out) {
        const V factor = Lane::splat(x[i]);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < vectors; ++j) {
            sum[j] = Lane::fma(factor, Lane::load(weight + j * Lane::size), sum[j]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        const V result = product.rectified ? Lane::max(Lane::splat(0.0F), sum[j]) : sum[j];
        Lane::store(columns + j * Lane::size, result);
    }
}
// [row_columns]

template <class V>
void multiply_row(const RowProduct& product, const float* x, float* y)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    // The last columns are less than a vector: begin a whole one further to the left. It is
    // computed before y is written, because y may be the rest that is added.
    const bool overlaps = product.n_out > lanes && product.n_out % lanes != 0;
    float last[lanes];
    if (overlaps) {
        row_columns<V, 1>(product, x, product.n_out - lanes, last);
    }
    std::size_t first = 0;
    for (; first + 8 * lanes <= product.n_out; first += 8 * lanes) {
        row_columns<V, 8>(product, x, first, y + first);
    }
    if (first + 4 * lanes <= product.n_out) {
        row_columns<V, 4>(product, x, first, y + first);
        first += 4 * lanes;
    }
    for (; first + lanes <= product.n_out; first += lanes) {
        row_columns<V, 1>(product, x, first, y + first);
    }
    if (overlaps) {
        Lanes<V>::store(y + product.n_out - lanes, Lanes<V>::load(last));
        return;
    }
    for (; first < product.n_out; ++first) {
        row_columns<OneLane, 1>(product, x, first, y + first);
    }
}

/// The lanes from the n-th on become -inf.
template <class V>
inline V hide_lanes(V x, std::size_t n)
{
    float lanes[Lanes<V>::size];
    Lanes<V>::store(lanes, x);
    for (std::size_t i = n; i < Lanes<V>::size; ++i) {
        lanes[i] = minus_infinity;
    }
    return Lanes<V>::load(lanes);
}

/// Scores of the keys of one head, four vectors at a time, and the largest of them. Behind the
/// last key that is seen they are -inf.
template <class V>
inline float score_keys(const RowMemory& memory, const float* query, const float* keys,
                        std::size_t d_head, float scale, float* scores)
{
    using Lane = Lanes<V>;
    constexpr std::size_t vectors = 4;
    Largest<V> largest;
    for (std::size_t first = 0; first < memory.n_seen; first += vectors * Lane::size) {
        V sum[vectors];
        for (std::size_t j = 0; j < vectors; ++j) {
            sum[j] = Lane::splat(0.0F);
        }
        for (std::size_t k = 0; k < d_head; ++k) {
            const V factor = Lane::splat(query[k] * scale);
            for (std::size_t j = 0; j < vectors; ++j) {
                sum[j] = Lane::fma(factor,
                                   Lane::load(keys + k * memory.room + first + j * Lane::size),
                                   sum[j]);
            }
        }
        for (std::size_t j = 0; j < vectors; ++j) {
            const std::size_t at = first + j * Lane::size;
            if (at + Lane::size > memory.n_seen) {
                sum[j] = hide_lanes(sum[j], memory.n_seen > at ? memory.n_seen - at : 0);
            }
            Lane::store(scores + at, sum[j]);
            largest.add(j, sum[j]);
        }
    }
    return largest.value();
}

/// Some numbers of a context: sum_j w_j v_j over the keys, in four sums so that none waits for
/// the one before it.
template <class V>
[[gnu::always_inline]] inline void add_values(const RowMemory& memory, const float* weights,
                                              const float* values, float factor, float* context)
{
    using Lane = Lanes<V>;
    constexpr std::size_t sums = 4;
    V sum[sums];
    for (std::size_t i = 0; i < sums; ++i) {
        sum[i] = Lane::splat(0.0F);
    }
    std::size_t key = 0;
    for (; key + sums <= memory.n_seen; key += sums) {
        for (std::size_t i = 0; i < sums; ++i) {
            sum[i] = Lane::fma(Lane::splat(weights[key + i]),
                               Lane::load(values + (key + i) * memory.d), sum[i]);
        }
    }
    for (; key < memory.n_seen; ++key) {
        sum[0] =
            Lane::fma(Lane::splat(weights[key]), Lane::load(values + key * memory.d), sum[0]);
    }
    Lane::store(context, ((sum[0] + sum[1]) + (sum[2] + sum[3])) * Lane::splat(factor));
}

template <class V>
void attend_row(const RowMemory& memory, const float* query, float scale, float* weights,
                float* context)
{
    using Lane = Lanes<V>;
    const std::size_t d_head = memory.d / memory.n_heads;
    for (std::size_t first = 0; first < memory.d; first += d_head) {
        const float largest = score_keys<V>(
            memory, query + first, memory.keys + first * memory.room, d_head, scale, weights);
        const float shift = largest > -3e38F ? largest : -3e38F; // not -inf - (-inf)
        V sum = Lane::splat(0.0F);
        for (std::size_t key = 0; key < memory.n_seen; key += Lane::size) {
            const V power = exp2_of_nonpositive(Lane::load(weights + key) - Lane::splat(shift));
            Lane::store(weights + key, power);
            sum = sum + power;
        }
        const float total = Lane::sum(sum);
        const float factor = total == 0.0F ? 0.0F : 1.0F / total;
        along_row<V>(d_head, [&]<class W>(As<W>, std::size_t k, std::size_t) {
            add_values<W>(memory, weights, memory.values + first + k, factor,
                          context + first + k);
        });
    }
}

template <class V>
constexpr DecodingKernels decoding_kernels()
{
    return {.multiply_row = multiply_row<V>, .attend_row = attend_row<V>};
}

} // namespace
