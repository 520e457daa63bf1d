/// \file
/// \brief One row at a time.
namespace {

using attn::kernels::DecodingKernels;
using attn::kernels::RowMemory;
using attn::kernels::RowProduct;

/// Columns first to first + vectors lanes of max(0, x W + b) + residual. Each column is one
/// chain from the first row of W to the last, whatever columns stand beside it.
template <class V, std::size_t vectors>
[[gnu::always_inline]] inline void row_columns(const RowProduct<NumberOf<V>>& product,
                                               const NumberOf<V>* x, std::size_t first,
                                               NumberOf<V>* columns)
{
    using Lane = Lanes<V>;
    const V zero = Lane::splat(NumberOf<V>(0));
    V sum[vectors];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        sum[j] =
            product.bias != nullptr ? Lane::load(product.bias + first + j * Lane::size) : zero;
    }
    // [row_columns]
    const NumberOf<V>* weight = product.weight + first;
    for (std::size_t i = 0; i < product.n_in; ++i, weight += product.n_out) {
        const V factor = Lane::splat(x[i]);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < vectors; ++j) {
            sum[j] = Lane::fma(factor, Lane::load(weight + j * Lane::size), sum[j]);
        }
    }
    // [row_columns]
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        V result =
            product.rectified ? Lane::where_not_above(sum[j], zero, zero, sum[j]) : sum[j];
        if (product.residual != nullptr) {
            result = Lane::load(product.residual + first + j * Lane::size) + result;
        }
        Lane::store(columns + j * Lane::size, result);
    }
}

template <class V>
void multiply_row(const RowProduct<NumberOf<V>>& product, const NumberOf<V>* x, NumberOf<V>* y)
{
    using T = NumberOf<V>;
    constexpr std::size_t lanes = Lanes<V>::size;
    // The last columns are less than a vector: begin a whole one further to the left. It is
    // computed before y is written, because y may be the residual that is added.
    const bool overlaps = product.n_out > lanes && product.n_out % lanes != 0;
    T last[lanes];
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
        row_columns<OneLane<T>, 1>(product, x, first, y + first);
    }
}

/// Scores of the keys of one head, four vectors at a time, beyond the last key that is seen up
/// to the end of the four: each a chain over the head's numbers.
template <class V>
inline void score_keys(const RowMemory<NumberOf<V>>& memory, const NumberOf<V>* query,
                       const NumberOf<V>* keys, std::size_t d_head, NumberOf<V> scale,
                       NumberOf<V>* scores)
{
    using T = NumberOf<V>;
    using Lane = Lanes<V>;
    constexpr std::size_t vectors = 4;
    for (std::size_t first = 0; first < memory.n_seen; first += vectors * Lane::size) {
        V sum[vectors];
#pragma GCC unroll 4
        for (std::size_t j = 0; j < vectors; ++j) {
            sum[j] = Lane::splat(T(0));
        }
        for (std::size_t k = 0; k < d_head; ++k) {
            const V factor = Lane::splat(query[k] * scale);
#pragma GCC unroll 4
            for (std::size_t j = 0; j < vectors; ++j) {
                sum[j] = Lane::fma(factor,
                                   Lane::load(keys + k * memory.room + first + j * Lane::size),
                                   sum[j]);
            }
        }
#pragma GCC unroll 4
        for (std::size_t j = 0; j < vectors; ++j) {
            Lane::store(scores + first + j * Lane::size, sum[j]);
        }
    }
}

/// Some columns of the context, each a chain over the keys. Vectors side by side may belong to
/// different heads: one chain alone would wait for every addition to end.
/// \param weights  of the head that the first column belongs to
template <class V, std::size_t vectors>
[[gnu::always_inline]] inline void add_values(const RowMemory<NumberOf<V>>& memory,
                                              const NumberOf<V>* weights, std::size_t first,
                                              NumberOf<V>* context)
{
    using Lane = Lanes<V>;
    const std::size_t d_head = memory.d / memory.n_heads;
    V sum[vectors];
    const NumberOf<V>* of_head[vectors];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        sum[j] = Lane::splat(NumberOf<V>(0));
        of_head[j] = weights + (first + j * Lane::size) / d_head * memory.room;
    }
    const NumberOf<V>* values = memory.values + first;
    for (std::size_t key = 0; key < memory.n_seen; ++key, values += memory.d) {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < vectors; ++j) {
            sum[j] = Lane::fma(Lane::splat(of_head[j][key]),
                               Lane::load(values + j * Lane::size), sum[j]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t j = 0; j < vectors; ++j) {
        Lane::store(context + first + j * Lane::size, sum[j]);
    }
}

/// Columns of the context from the first one on, as long as whole vectors are left.
/// \returns  the first column that is left
template <class V>
inline std::size_t add_all_values(const RowMemory<NumberOf<V>>& memory,
                                  const NumberOf<V>* weights, std::size_t first,
                                  NumberOf<V>* context)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    for (; first + 4 * lanes <= memory.d; first += 4 * lanes) {
        add_values<V, 4>(memory, weights, first, context);
    }
    for (; first + lanes <= memory.d; first += lanes) {
        add_values<V, 1>(memory, weights, first, context);
    }
    return first;
}

template <class V>
void attend_row(const RowMemory<NumberOf<V>>& memory, const NumberOf<V>* query,
                NumberOf<V> scale, NumberOf<V>* weights, NumberOf<V>* context)
{
    using T = NumberOf<V>;
    const std::size_t d_head = memory.d / memory.n_heads;
    // A masked key behind the last one has a weight of 0, and leaves softmax whole vectors.
    const std::size_t n_whole =
        (memory.n_seen + n_parts<T> - 1) / n_parts<T> * n_parts<T>;
    for (std::size_t head = 0; head < memory.n_heads; ++head) {
        T* const of_head = weights + head * memory.room;
        score_keys<V>(memory, query + head * d_head, memory.keys + head * d_head * memory.room,
                      d_head, scale, of_head);
        for (std::size_t key = memory.n_seen; key < n_whole; ++key) {
            of_head[key] = -__builtin_inff();
        }
        softmax<V>(n_whole, of_head, of_head);
    }
    // A vector's columns are one head's.
    const std::size_t done =
        d_head % Lanes<V>::size == 0 ? add_all_values<V>(memory, weights, 0, context) : 0;
    add_all_values<OneLane<NumberOf<V>>>(memory, weights, done, context);
}

template <class V>
constexpr DecodingKernels<NumberOf<V>> decoding_kernels()
{
    return {.multiply_row = multiply_row<V>, .attend_row = attend_row<V>};
}

} // namespace
