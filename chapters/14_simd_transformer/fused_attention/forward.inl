/// \file
/// \brief Fused attention forwards. A lane is a query: scores are tiles of keys by queries, so that
/// a query's largest score and the sum of its weights stay in its lane, and none moves to another.
namespace {

using attn::simd_transformer::HeadSizes;
using attn::simd_transformer::OutputRows;
using attn::simd_transformer::Rows;
using attn::simd_transformer::RowStatistics;

/// Keys whose weights are kept at a time. With 48 queries, AVX-512's block, the weights are 12 KiB;
/// for heads of 64 numbers so are queries and contexts: each product works on 24 KiB of a first
/// cache of 32 or 48. With AVX2 it is half of that.
constexpr std::size_t key_block = 64;

/// n, made larger until a tile divides it.
constexpr std::size_t in_tiles(std::size_t n)
{
    return (n + tile_rows - 1) / tile_rows * tile_rows;
}

/// How many of the first keys a query attends to.
inline std::size_t n_seen(const HeadSizes& sizes, std::size_t query)
{
    const std::size_t past = sizes.n_keys - sizes.n_queries + query + 1;
    return sizes.causal && past < sizes.n_seen ? past : sizes.n_seen;
}

inline void pack_rows(Rows x, std::size_t n, std::size_t d, float* tiles)
{
    for (std::size_t first = 0; first < n; first += tile_rows) {
        const std::size_t here = n - first < tile_rows ? n - first : tile_rows;
        rows_to_columns(x.data + first * x.step, x.step, here, d, tiles + first * d, tile_rows);
    }
}

inline void pack_columns(Rows x, std::size_t n, std::size_t d, float* tiles)
{
    const std::size_t whole = d / tile_rows * tile_rows;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < whole; k += tile_rows) {
            __builtin_memcpy(tiles + k * n + j * tile_rows, x.data + j * x.step + k,
                             tile_rows * sizeof(float));
        }
    }
    if (whole < d) {
        copy_rows(x.data + whole, x.step, n, d - whole, tiles + whole * n, tile_rows);
    }
}

/// x times a factor, n numbers, a multiple of the lanes.
template <class V>
void scale(float factor, std::size_t n, float* x)
{
    using Lane = Lanes<V>;
    for (std::size_t i = 0; i < n; i += Lane::size) {
        Lane::store(x + i, Lane::load(x + i) * Lane::splat(factor));
    }
}

/// Keys that a block of queries attends to.
struct BlockLimits
{
    std::size_t least; ///< that all of its queries attend to
    std::size_t most;  ///< that any of them attends to
};

/// \param limits  [columns], receives how many keys each query attends to, 0 behind the n-th
template <std::size_t columns>
BlockLimits block_limits(const HeadSizes& sizes, std::size_t first, std::size_t n,
                         float* limits)
{
    for (std::size_t i = 0; i < columns; ++i) {
        limits[i] = i < n ? static_cast<float>(n_seen(sizes, first + i)) : 0.0F;
    }
    const std::size_t least = n < columns ? 0 : n_seen(sizes, first);
    return {least, n_seen(sizes, first + n - 1)};
}

/// Scores of tile_rows keys from the one given, for a block of queries; -inf where a query does
/// not attend to a key.
template <class V, std::size_t vectors>
[[gnu::always_inline]] inline void
score_tile(Tile<V, tile_rows, vectors>& scores, std::size_t depth, const float* keys,
           const float* queries, std::size_t key, std::size_t least, const float* limits)
{
    using Lane = Lanes<V>;
    scores.clear();
    scores.add_product(depth, keys + key * depth, 1, tile_rows, queries, scores.columns,
                       {keys + (key + key_block) * depth, tile_rows});
    if (key + tile_rows > least) {
        for (std::size_t i = 0; i < tile_rows; ++i) {
            const V position = Lane::splat(static_cast<float>(key + i));
            for (std::size_t j = 0; j < vectors; ++j) {
                scores.sum[i][j] =
                    Lane::where_less(position, Lane::load(limits + j * Lane::size),
                                     scores.sum[i][j], Lane::splat(minus_infinity<float>));
            }
        }
    }
}

/// Memory for one block of queries.
template <std::size_t columns>
struct ForwardScratch
{
    float* queries; ///< [d_k, columns]
    float* context; ///< [d_v, columns], not yet divided
    float* weights; ///< [key_block, columns]
    float* largest; ///< [columns], as all below
    float* total;
    float* shrink; ///< what a larger score makes of all that was added up before
    float* limits;

    ForwardScratch(float* memory, std::size_t d_k, std::size_t d_v)
        : queries(memory), context(queries + d_k * columns),
          weights(context + in_tiles(d_v) * columns), largest(weights + key_block * columns),
          total(largest + columns), shrink(total + columns), limits(shrink + columns)
    {
    }
};

/// Makes weights of scores: powers of two of their distance from the largest one so far.
template <class V, std::size_t vectors>
void weigh(std::size_t n_keys, const ForwardScratch<vectors * Lanes<V>::size>& at,
           const V (&largest)[vectors])
{
    using Lane = Lanes<V>;
    constexpr std::size_t columns = vectors * Lane::size;
    for (std::size_t j = 0; j < vectors; ++j) {
        // A query that has met no key has -inf here: what it subtracts is finite, so that
        // -inf - (-inf) does not come up.
        const V shift = Lane::max(Lane::splat(-3e38F), largest[j]);
        const V shrink = exp2_of_nonpositive(Lane::load(at.largest + j * Lane::size) - shift);
        V total = Lane::load(at.total + j * Lane::size) * shrink;
        for (std::size_t key = 0; key < n_keys; ++key) {
            float* const weight = at.weights + key * columns + j * Lane::size;
            const V exponential = exp2_of_nonpositive(Lane::load(weight) - shift);
            Lane::store(weight, exponential);
            total = total + exponential;
        }
        Lane::store(at.largest + j * Lane::size, largest[j]);
        Lane::store(at.total + j * Lane::size, total);
        Lane::store(at.shrink + j * Lane::size, shrink);
    }
}

/// Contexts divided by the sums of their weights; a query that attends to no key has the context 0.
template <class V, std::size_t vectors>
void divide_by_totals(std::size_t d_v, const ForwardScratch<vectors * Lanes<V>::size>& at)
{
    using Lane = Lanes<V>;
    constexpr std::size_t columns = vectors * Lane::size;
    for (std::size_t j = 0; j < vectors; ++j) {
        const V total = Lane::load(at.total + j * Lane::size);
        const V one = Lane::splat(1.0F);
        // What is not above zero is zero or nan; a nan has one in its context anyway.
        const V divisor = Lane::where_less(Lane::splat(0.0F), total, total, one);
        for (std::size_t k = 0; k < d_v; ++k) {
            float* const x = at.context + k * columns + j * Lane::size;
            Lane::store(x, Lane::quotient(Lane::load(x), divisor));
        }
    }
}

/// Lays a block of queries out: as columns, scaled, with no key attended to yet.
template <class V, std::size_t vectors>
BlockLimits begin_block(const HeadSizes& sizes, Rows queries, std::size_t first, std::size_t n,
                        const ForwardScratch<vectors * Lanes<V>::size>& at)
{
    constexpr std::size_t columns = vectors * Lanes<V>::size;
    rows_to_columns(queries.data + first * queries.step, queries.step, n, sizes.d_k, at.queries,
                    columns);
    scale<V>(sizes.scale, sizes.d_k * columns, at.queries);
    for (std::size_t i = 0; i < columns; ++i) {
        at.largest[i] = minus_infinity<float>;
        at.total[i] = 0.0F;
    }
    for (std::size_t i = 0; i < in_tiles(sizes.d_v) * columns; ++i) {
        at.context[i] = 0.0F;
    }
    return block_limits<columns>(sizes, first, n, at.limits);
}

/// One block of queries against all keys that it attends to.
template <class V, std::size_t vectors>
void forward_block(const HeadSizes& sizes, Rows queries, const float* keys, const float* values,
                   std::size_t first, std::size_t n, OutputRows context,
                   RowStatistics statistics, float* memory)
{
    using Lane = Lanes<V>;
    using Block = Tile<V, tile_rows, vectors>;
    constexpr std::size_t columns = Block::columns;
    const ForwardScratch<columns> at(memory, sizes.d_k, sizes.d_v);
    const BlockLimits seen = begin_block<V, vectors>(sizes, queries, first, n, at);

    for (std::size_t start = 0; start < seen.most; start += key_block) {
        const std::size_t end = start + key_block < seen.most ? start + key_block : seen.most;
        // [scores_and_weights]
        // Compare the block with tile_rows keys at a time.
        V largest[vectors];
        for (std::size_t j = 0; j < vectors; ++j) {
            largest[j] = Lane::load(at.largest + j * Lane::size);
        }
        for (std::size_t key = start; key < end; key += tile_rows) {
            Block scores;
            score_tile<V, vectors>(scores, sizes.d_k, keys, at.queries, key, seen.least,
                                   at.limits);
            scores.store(at.weights + (key - start) * columns, columns);
            for (std::size_t i = 0; i < tile_rows; ++i) {
                for (std::size_t j = 0; j < vectors; ++j) {
                    largest[j] = Lane::max(largest[j], scores.sum[i][j]);
                }
            }
        }
        // Make the scores weights.
        weigh<V, vectors>(in_tiles(end - start), at, largest);
        // [scores_and_weights]
        // [values]
        // Shrink what was added up under a smaller largest score, and add the values.
        for (std::size_t k = 0; k < sizes.d_v; k += tile_rows) {
            Block sum;
            float* const context_part = at.context + k * columns;
            for (std::size_t j = 0; j < vectors; ++j) {
                const V shrink = Lane::load(at.shrink + j * Lane::size);
                for (std::size_t i = 0; i < tile_rows; ++i) {
                    sum.sum[i][j] =
                        Lane::load(context_part + i * columns + j * Lane::size) * shrink;
                }
            }
            const float* const part = values + k * sizes.n_keys + start * tile_rows;
            sum.add_product(end - start, part, 1, tile_rows, at.weights, columns,
                            {part + key_block * tile_rows, tile_rows});
            sum.store(context_part, columns);
        }
        // [values]
    }

    divide_by_totals<V, vectors>(sizes.d_v, at);
    columns_to_rows(at.context, columns, sizes.d_v, n, context.data + first * context.step,
                    context.step);
    for (std::size_t i = 0; i < n; ++i) {
        statistics.largest[first + i] = at.largest[i];
        statistics.total[first + i] = at.total[i];
    }
}

/// work(vectors, first, n) for blocks of n queries, as many vectors of them at a time as a tile
/// has.
template <class V, class Work>
void for_each_block(std::size_t n, const Work& work)
{
    static_assert(tile_vectors == 3); // as many forms of work there are
    for (std::size_t done = 0; done < n;) {
        const std::size_t left = (n - done + Lanes<V>::size - 1) / Lanes<V>::size;
        const std::size_t vectors = left < tile_vectors ? left : tile_vectors;
        const std::size_t width = vectors * Lanes<V>::size;
        const std::size_t here = n - done < width ? n - done : width;
        work(vectors, done, here);
        done += here;
    }
}

template <class V>
void forward(const HeadSizes& sizes, Rows queries, const float* keys, const float* values,
             std::size_t first, std::size_t n, OutputRows context, RowStatistics statistics,
             float* scratch)
{
    const auto blocks = {forward_block<V, 1>, forward_block<V, 2>, forward_block<V, 3>};
    for_each_block<V>(n, [&](std::size_t vectors, std::size_t done, std::size_t here) {
        blocks.begin()[vectors - 1](sizes, queries, keys, values, first + done, here, context,
                                    statistics, scratch);
    });
}

template <class V>
std::size_t forward_scratch(std::size_t d_k, std::size_t d_v)
{
    constexpr std::size_t columns = tile_vectors * Lanes<V>::size;
    return (d_k + in_tiles(d_v) + key_block + 4) * columns;
}

} // namespace
