/// \file
/// \brief The gradients of fused attention. Of the weights nothing was kept: they are
/// computed again, block by block, from the scores and from what each query's weights add up
/// to. Five products a block, each on the register tile.
namespace {

using attn::simd_transformer::AttentionKernels;
using attn::simd_transformer::BackwardInputs;
using attn::simd_transformer::BackwardOutputs;

constexpr float ln_2 = 0.693147181F;

/// n, made larger until a vector divides it.
template <class V>
constexpr std::size_t whole_vectors(std::size_t n)
{
    return (n + Lanes<V>::size - 1) / Lanes<V>::size * Lanes<V>::size;
}

/// Memory for one block of queries, and for the gradients of all keys and values asked for.
template <class V, std::size_t columns>
struct BackwardScratch
{
    float* key_gradients;   ///< [n_keys, whole_vectors(d_k)]
    float* value_gradients; ///< [n_keys, whole_vectors(d_v)]
    float* queries;         ///< [d_k, columns], times the scale and log2 e
    float* gradients;       ///< [d_v, columns], the context's
    float* query_rows;      ///< [columns, whole_vectors(d_k)], times the scale
    float* gradient_rows;   ///< [columns, whole_vectors(d_v)]
    float* query_gradients; ///< [d_k, columns], not yet scaled
    float* weights;         ///< [key_block, columns]
    float* score_gradients; ///< [key_block, columns]
    float* log_total;       ///< [columns], as all below
    float* mean_gradient;
    float* limits;

    BackwardScratch(float* memory, std::size_t n_keys, std::size_t d_k, std::size_t d_v)
        : key_gradients(memory),
          value_gradients(key_gradients + in_tiles(n_keys) * whole_vectors<V>(d_k)),
          queries(value_gradients + in_tiles(n_keys) * whole_vectors<V>(d_v)),
          gradients(queries + d_k * columns), query_rows(gradients + d_v * columns),
          gradient_rows(query_rows + whole_vectors<V>(d_k) * columns),
          query_gradients(gradient_rows + whole_vectors<V>(d_v) * columns),
          weights(query_gradients + in_tiles(d_k) * columns),
          score_gradients(weights + key_block * columns),
          log_total(score_gradients + key_block * columns), mean_gradient(log_total + columns),
          limits(mean_gradient + columns)
    {
    }
};

/// The weights of a block of keys, from their scores: 2^(score - log2 of the sum).
template <class V, std::size_t vectors>
void weights_again(const BackwardInputs& in, std::size_t d_k, std::size_t start,
                   std::size_t end, std::size_t least,
                   const BackwardScratch<V, vectors * Lanes<V>::size>& at)
{
    using Lane = Lanes<V>;
    constexpr std::size_t columns = vectors * Lane::size;
    for (std::size_t key = start; key < end; key += tile_rows) {
        Tile<V, tile_rows, vectors> scores;
        score_tile<V, vectors>(scores, d_k, in.keys_by_rows, at.queries, key, least, at.limits);
        scores.store(at.weights + (key - start) * columns, columns);
    }
    for (std::size_t j = 0; j < vectors; ++j) {
        const V log_total = Lane::load(at.log_total + j * Lane::size);
        for (std::size_t key = 0; key < in_tiles(end - start); ++key) {
            float* const weight = at.weights + key * columns + j * Lane::size;
            Lane::store(weight, exp2_of_nonpositive(Lane::load(weight) - log_total));
        }
    }
}

// [score_gradients]
/// The scores' gradients, a (g - mean g) with g the weights': the softmax's backward pass.
template <class V, std::size_t vectors>
void score_gradients(const BackwardInputs& in, std::size_t d_v, std::size_t start,
                     std::size_t end, const BackwardScratch<V, vectors * Lanes<V>::size>& at)
{
    using Lane = Lanes<V>;
    constexpr std::size_t columns = vectors * Lane::size;
    for (std::size_t key = start; key < end; key += tile_rows) {
        Tile<V, tile_rows, vectors> gradient;
        gradient.clear();
        gradient.add_product(d_v, in.values_by_rows + key * d_v, 1, tile_rows, at.gradients,
                             columns);
        const std::size_t row = (key - start) * columns;
        for (std::size_t i = 0; i < tile_rows; ++i) {
            for (std::size_t j = 0; j < vectors; ++j) {
                const std::size_t here = row + i * columns + j * Lane::size;
                const V mean = Lane::load(at.mean_gradient + j * Lane::size);
                Lane::store(at.score_gradients + here,
                            Lane::load(at.weights + here) * (gradient.sum[i][j] - mean));
            }
        }
    }
}
// [score_gradients]

/// y += a x for a block of keys: a [n, columns] with n_queries of the columns in use, x
/// [n_queries, width], y [n, width].
template <class V, std::size_t columns, std::size_t vectors>
void add_by_key(const float* a, const float* x, std::size_t n_queries, std::size_t n,
                std::size_t width, float* y)
{
    for (std::size_t key = 0; key < n; key += tile_rows) {
        Tile<V, tile_rows, vectors> sum;
        float* const rows = y + key * width;
        sum.load(rows, width);
        sum.add_product(n_queries, a + key * columns, columns, 1, x, width);
        sum.store(rows, width);
    }
}

/// The same for as many vectors as a row has, at most three at a time; four as two and two.
template <class V, std::size_t columns>
void add_all_by_key(const float* a, const float* x, std::size_t n_queries, std::size_t n,
                    std::size_t width, float* y)
{
    std::size_t left = width / Lanes<V>::size;
    for (std::size_t k = 0; left > 0;) {
        const std::size_t now = left == 4 ? 2 : left < tile_vectors ? left : tile_vectors;
        if (now == 3) {
            add_by_key<V, columns, 3>(a, x + k, n_queries, n, width, y + k);
        } else if (now == 2) {
            add_by_key<V, columns, 2>(a, x + k, n_queries, n, width, y + k);
        } else {
            add_by_key<V, columns, 1>(a, x + k, n_queries, n, width, y + k);
        }
        k += now * Lanes<V>::size;
        left -= now;
    }
}

/// Rows of a block of width numbers each, written or added where they belong, if somebody
/// wants them.
inline void put_rows(const float* block, std::size_t first, std::size_t n, std::size_t width,
                     std::size_t d, bool add, OutputRows to)
{
    for (std::size_t i = 0; i < n && to.data != nullptr; ++i) {
        float* const row = to.data + (first + i) * to.step;
        for (std::size_t k = 0; k < d; ++k) {
            row[k] = add ? row[k] + block[i * width + k] : block[i * width + k];
        }
    }
}

/// Lays a block's queries and gradients out, by columns and by rows.
template <class V, std::size_t columns>
BlockLimits begin_backward(const HeadSizes& sizes, const BackwardInputs& in, std::size_t first,
                           std::size_t n, const BackwardScratch<V, columns>& at)
{
    const std::size_t d_k = sizes.d_k;
    const std::size_t d_v = sizes.d_v;
    const Rows queries{in.queries.data + first * in.queries.step, in.queries.step};
    const Rows gradients{in.context_gradient.data + first * in.context_gradient.step,
                         in.context_gradient.step};
    rows_to_columns(queries.data, queries.step, n, d_k, at.queries, columns);
    scale<V>(sizes.scale, d_k * columns, at.queries);
    rows_to_columns(gradients.data, gradients.step, n, d_v, at.gradients, columns);
    copy_rows(queries.data, queries.step, n, d_k, at.query_rows, whole_vectors<V>(d_k));
    scale<V>(sizes.scale * ln_2, n * whole_vectors<V>(d_k), at.query_rows);
    copy_rows(gradients.data, gradients.step, n, d_v, at.gradient_rows, whole_vectors<V>(d_v));
    for (std::size_t i = 0; i < columns; ++i) {
        at.log_total[i] = i < n ? in.log_total[first + i] : 0.0F;
        at.mean_gradient[i] =
            i < n ? dot_of<V>(d_v, in.context.data + (first + i) * in.context.step,
                              gradients.data + i * gradients.step)
                  : 0.0F;
    }
    for (std::size_t i = 0; i < in_tiles(d_k) * columns; ++i) {
        at.query_gradients[i] = 0.0F;
    }
    return block_limits<columns>(sizes, first, n, at.limits);
}

/// The gradients that one block of queries has a part in.
template <class V, std::size_t vectors>
void backward_block(const HeadSizes& sizes, const BackwardInputs& in, std::size_t first,
                    std::size_t n, std::size_t first_key, std::size_t last_key,
                    const BackwardOutputs& out, float* memory)
{
    using Block = Tile<V, tile_rows, vectors>;
    constexpr std::size_t columns = Block::columns;
    const std::size_t d_k = sizes.d_k;
    const std::size_t d_v = sizes.d_v;
    const BackwardScratch<V, columns> at(memory, last_key - first_key, d_k, d_v);

    const BlockLimits seen = begin_backward<V, columns>(sizes, in, first, n, at);

    const std::size_t most = seen.most < last_key ? seen.most : last_key;
    for (std::size_t start = first_key; start < most; start += key_block) {
        const std::size_t end = start + key_block < most ? start + key_block : most;
        const std::size_t n_keys = in_tiles(end - start);
        weights_again<V, vectors>(in, d_k, start, end, seen.least, at);
        score_gradients<V, vectors>(in, d_v, start, end, at);
        add_all_by_key<V, columns>(
            at.weights, at.gradient_rows, n, n_keys, whole_vectors<V>(d_v),
            at.value_gradients + (start - first_key) * whole_vectors<V>(d_v));
        add_all_by_key<V, columns>(
            at.score_gradients, at.query_rows, n, n_keys, whole_vectors<V>(d_k),
            at.key_gradients + (start - first_key) * whole_vectors<V>(d_k));
        for (std::size_t k = 0; k < d_k; k += tile_rows) {
            Block sum;
            sum.load(at.query_gradients + k * columns, columns);
            sum.add_product(end - start,
                            in.keys_by_column + k * sizes.n_keys + start * tile_rows, 1,
                            tile_rows, at.score_gradients, columns);
            sum.store(at.query_gradients + k * columns, columns);
        }
    }

    if (out.queries.data != nullptr) {
        scale<V>(sizes.scale * ln_2, in_tiles(d_k) * columns, at.query_gradients);
        // What has been read is no longer needed: its memory takes the rows.
        columns_to_rows(at.query_gradients, columns, d_k, n, at.query_rows, d_k);
        put_rows(at.query_rows, first, n, d_k, d_k, out.add_queries, out.queries);
    }
}

template <class V>
void backward(const HeadSizes& sizes, const BackwardInputs& in, std::size_t first_key,
              std::size_t last_key, const BackwardOutputs& out, float* scratch)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    const std::size_t n_keys = last_key - first_key;
    const BackwardScratch<V, lanes> at(scratch, n_keys, sizes.d_k, sizes.d_v);
    for (float* x = at.key_gradients; x != at.queries; ++x) {
        *x = 0.0F;
    }
    const auto blocks = {backward_block<V, 1>, backward_block<V, 2>, backward_block<V, 3>};
    for_each_block<V>(sizes.n_queries, [&](std::size_t vectors, std::size_t done,
                                           std::size_t here) {
        blocks.begin()[vectors - 1](sizes, in, done, here, first_key, last_key, out, scratch);
    });
    put_rows(at.key_gradients, first_key, n_keys, whole_vectors<V>(sizes.d_k), sizes.d_k,
             out.add_keys, out.keys);
    put_rows(at.value_gradients, first_key, n_keys, whole_vectors<V>(sizes.d_v), sizes.d_v,
             out.add_values, out.values);
}

template <class V>
std::size_t backward_scratch(std::size_t n_keys, std::size_t d_k, std::size_t d_v)
{
    constexpr std::size_t columns = tile_vectors * Lanes<V>::size;
    const std::size_t width = whole_vectors<V>(d_k) + whole_vectors<V>(d_v);
    return in_tiles(n_keys) * width +
           (d_k + d_v + width + in_tiles(d_k) + 2 * key_block + 3) * columns;
}

template <class V>
constexpr AttentionKernels attention_kernels()
{
    return {.tile = tile_rows,
            .block = tile_vectors * Lanes<V>::size,
            .key_block = key_block,
            .pack_rows = pack_rows,
            .pack_columns = pack_columns,
            .forward_scratch = forward_scratch<V>,
            .backward_scratch = backward_scratch<V>,
            .forward = forward<V>,
            .backward = backward<V>};
}

} // namespace
