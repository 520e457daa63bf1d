/// \file
/// \brief Softmax over the rows of a matrix on vectors, and the powers of two that it is made
/// of, for exponents that are not above zero: fewer steps than the book's exponential takes,
/// which has to serve every number.
namespace {

using attn::simd_transformer::MatrixSize;
using attn::simd_transformer::softmax_chunk;
using attn::simd_transformer::SoftmaxKernels;

/// 1.5 * 2^23 + 127. Added to a float of moderate size it leaves no room for digits behind the
/// point: the sum's lowest bits are the nearest integer, plus the bias of a float's exponent.
constexpr float round_and_bias = 12582912.0F + 127.0F;

/// 2^x for x <= 0, within 2 units in the last place down to -126; at most the smallest normal
/// number below that, and 0 below -126.5. Of a nan, nan.
template <class V>
[[gnu::always_inline]] inline V exp2_of_nonpositive(V x)
{
    using L = Lanes<V>;
    // 2^f on [-1/2, 1/2], relative error 2^-28.5, with p(0) = 1.
    constexpr float coefficients[] = {1.0F,          6.9314724e-1F, 2.4022652e-1F,
                                      5.5503104e-2F, 9.6176928e-3F, 1.3406643e-3F,
                                      1.5594676e-4F};
    const V magic = L::splat(round_and_bias);
    // 2^-127 has the bits of zero.
    const V bounded = L::max(L::splat(-127.0F), x);
    const V shifted = bounded + magic;
    const V whole = shifted - magic;
    return polynomial(bounded - whole, coefficients) *
           L::from_bits(L::template moved_up<23>(L::bits(shifted)));
}

template <class V>
void exp2_of_all(std::size_t n, const float* x, float* y)
{
    along_row<V>(n, [=](auto at, std::size_t)
                        ATTN_BODY { at.store(y, exp2_of_nonpositive(at.load(x))); });
}

// ---------------------------------------------------------------- three loops

/// What is subtracted from a row's numbers: the largest, or 0 if that is -inf, so that
/// -inf - (-inf) does not come up.
inline float finite_shift(float largest)
{
    return largest > minus_infinity<float> ? largest : 0.0F;
}

/// One over a sum of exponentials; 0 for a row that has none.
inline float one_over(float sum)
{
    return sum == 0.0F ? 0.0F : 1.0F / sum;
}

/// e^(x - shift) as a power of two, which takes two multiplications less than a power of e. The
/// product is rounded: far below the largest number, where a weight is as good as 0, digits of
/// it are lost.
template <class V>
[[gnu::always_inline]] inline V exponential_under(V x, float shift)
{
    return exp2_of_nonpositive((x - Lanes<V>::splat(shift)) * Lanes<V>::splat(1.442695041F));
}

/// Whether a walk along a chunk of a row asks memory for the chunk behind it.
enum class Next
{
    waits,
    is_asked_for
};

template <class V, Next next = Next::waits>
float exponentials_under(std::size_t n, const float* x, float largest, float* y)
{
    const float shift = finite_shift(largest);
    Total<V> sum;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY {
        if constexpr (next == Next::is_asked_for) {
            __builtin_prefetch(x + softmax_chunk + at.i);
        }
        const V exponential = exponential_under(at.load(x, minus_infinity<float>), shift);
        at.store(y, exponential);
        sum.add(j, exponential);
    });
    return sum.value();
}

template <class V>
void scale_all(std::size_t n, float factor, float* y)
{
    along_row<V>(n, [=](auto at, std::size_t)
                        ATTN_BODY { at.store(y, at.load(y) * Lanes<V>::splat(factor)); });
}

template <class V>
void softmax_rows(MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        const float sum = exponentials_under<V>(size.n, x, largest_of<V>(size.n, x), y);
        scale_all<V>(size.n, one_over(sum), y);
    }
}

// ---------------------------------------------------------------- the online form

// [online_sum]
/// The largest number so far and the sum of the exponentials under it, in every lane its own.
template <class V>
struct OnlineSum
{
    V largest = Lanes<V>::splat(minus_infinity<float>);
    V sum = Lanes<V>::splat(0.0F);

    /// Goes on with four vectors: what was added up under a smaller number shrinks first.
    [[gnu::always_inline]] void add(const V (&x)[4])
    {
        using Lane = Lanes<V>;
        const V before = largest;
        largest = Lane::max(Lane::max(largest, Lane::max(x[0], x[1])), Lane::max(x[2], x[3]));
        const V shift = Lane::where_less(Lane::splat(minus_infinity<float>), largest, largest,
                                         Lane::splat(0.0F));
        const V fresh = (exp_of(x[0] - shift) + exp_of(x[1] - shift)) +
                        (exp_of(x[2] - shift) + exp_of(x[3] - shift));
        sum = Lane::fma(sum, exp_of(before - shift), fresh);
    }
};
// [online_sum]

/// A row's largest number, and the sum of the exponentials under it, from one walk along it.
struct ShiftAndSum
{
    float shift;
    float sum;
};

template <class V>
ShiftAndSum shift_and_sum(std::size_t n, const float* x)
{
    using Lane = Lanes<V>;
    OnlineSum<V> lanes;
    std::size_t i = 0;
    for (; i + 4 * Lane::size <= n; i += 4 * Lane::size) {
        const V four[4] = {Lane::load(x + i), Lane::load(x + i + Lane::size),
                           Lane::load(x + i + 2 * Lane::size),
                           Lane::load(x + i + 3 * Lane::size)};
        lanes.add(four);
    }
    // Bring the lanes and what is left together under the largest number of all.
    float largest[Lane::size];
    float sums[Lane::size];
    Lane::store(largest, lanes.largest);
    Lane::store(sums, lanes.sum);
    float top = largest_of<V>(n - i, x + i);
    for (const float here : largest) {
        top = here > top ? here : top;
    }
    const float shift = finite_shift(top);
    float sum = 0.0F;
    for (std::size_t lane = 0; lane < Lane::size; ++lane) {
        sum += sums[lane] * exp_of(OneLane<float>{largest[lane] - shift}).value;
    }
    for (; i < n; ++i) {
        sum += exp_of(OneLane<float>{x[i] - shift}).value;
    }
    return {shift, sum};
}

template <class V>
void softmax_rows_online(MatrixSize size, const float* x, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        const ShiftAndSum of_row = shift_and_sum<V>(size.n, x);
        const float shift = of_row.shift;
        const float factor = one_over(of_row.sum);
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            at.store(y, exponential_under(at.load(x), shift) * Lanes<V>::splat(factor));
        });
    }
}

// ---------------------------------------------------------------- a row in chunks

/// What a sum of exponentials under one number is multiplied by to be one under a larger
/// number, or the same.
inline float rescaling(float under, float larger)
{
    return under == larger ? 1.0F : exp_of(OneLane<float>{under - larger}).value;
}

/// Calls f(first, n_here, chunk) for each chunk of a row of n numbers.
template <class Body>
[[gnu::always_inline]] inline void for_each_chunk(std::size_t n, Body f)
{
    for (std::size_t first = 0, chunk = 0; first < n; first += softmax_chunk, ++chunk) {
        f(first, n - first < softmax_chunk ? n - first : softmax_chunk, chunk);
    }
}

// [chunks]
template <class V>
void softmax_rows_in_chunks(MatrixSize size, const float* x, float* y, float* under)
{
    const float* const end = x + size.n_rows * size.n;
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        // Take each chunk's exponentials under the largest number so far.
        float largest = minus_infinity<float>;
        float sum = 0.0F;
        for_each_chunk(size.n, [&](std::size_t first, std::size_t n, std::size_t chunk) {
            const float* const here = x + first;
            const float before = largest;
            const float of_chunk = largest_of<V>(n, here);
            largest = of_chunk > before ? of_chunk : before;
            const auto exponentials = end - here < 2 * std::ptrdiff_t(softmax_chunk)
                                          ? exponentials_under<V, Next::waits>
                                          : exponentials_under<V, Next::is_asked_for>;
            sum = sum * rescaling(before, largest) + exponentials(n, here, largest, y + first);
            under[chunk] = largest;
        });
        // Bring all of them under the row's largest number, and their sum to one.
        for_each_chunk(size.n, [&](std::size_t first, std::size_t n, std::size_t chunk) {
            scale_all<V>(n, rescaling(under[chunk], largest) * one_over(sum), y + first);
        });
    }
}
// [chunks]

// ---------------------------------------------------------------- three rows at a time

/// How results are stored.
enum class Stores
{
    through_the_cache,
    around_the_cache
};

template <Stores stores, class V>
[[gnu::always_inline]] inline void store_result(float* to, V x)
{
    if constexpr (stores == Stores::around_the_cache) {
        stream_vector(to, x);
    } else {
        Lanes<V>::store(to, x);
    }
}

/// Numbers from y to the next place that a vector can be stored to, at most n.
template <Stores stores, class V>
std::size_t until_aligned(const float* y, std::size_t n)
{
    if constexpr (stores == Stores::through_the_cache) {
        return 0;
    }
    const std::size_t beyond =
        reinterpret_cast<std::uintptr_t>(y) / sizeof(float) % Lanes<V>::size;
    const std::size_t missing = (Lanes<V>::size - beyond) % Lanes<V>::size;
    return missing < n ? missing : n;
}

/// y = factor exponentials.
template <Stores stores, class V>
void store_scaled(std::size_t n, float factor, const float* exponentials, float* y)
{
    using Lane = Lanes<V>;
    std::size_t i = 0;
    for (const std::size_t head = until_aligned<stores, V>(y, n); i < head; ++i) {
        y[i] = exponentials[i] * factor;
    }
    for (; i + Lane::size <= n; i += Lane::size) {
        store_result<stores>(y + i, Lane::load(exponentials + i) * Lane::splat(factor));
    }
    for (; i < n; ++i) {
        y[i] = exponentials[i] * factor;
    }
}

/// Three rows on their way: the next is looked through for its largest number, this one's
/// exponentials are taken, the one before is scaled and leaves.
struct ThreeRows
{
    const float* next;     ///< [n]
    const float* here;     ///< [n]
    float shift;           ///< of the row here
    float* exponentials;   ///< [n], of the row here
    const float* before;     ///< [n], exponentials of the row before
    float factor;          ///< one over their sum
    float* leaving;        ///< [n], where that row's weights go
};

/// What the walk along three rows brings.
struct NextAndSum
{
    float next_largest;
    float sum;
};

template <Stores stores, class V>
NextAndSum walk_along_three(std::size_t n, const ThreeRows& rows)
{
    using Lane = Lanes<V>;
    const ThreeRows at = rows;
    Largest<V> largest;
    Total<V> sum;
    const auto advance = [&](auto piece, std::size_t first, std::size_t j) ATTN_BODY {
        largest.add(j, piece.load(at.next + first, minus_infinity<float>));
        const V exponential =
            exponential_under(piece.load(at.here + first, minus_infinity<float>), at.shift);
        piece.store(at.exponentials + first, exponential);
        sum.add(j, exponential);
    };
    const auto leave_one = [&](std::size_t i) { at.leaving[i] = at.before[i] * at.factor; };
    // The row that leaves is walked along from its first place that its stores can begin at.
    const std::size_t head = until_aligned<stores, V>(at.leaving, n);
    // As many vectors at a time as a sum has parts, and four at least.
    constexpr std::size_t together = part_vectors < V >> 4 ? part_vectors<V> : 4;
    const std::size_t in_blocks =
        (n - head) / (together * Lane::size) * (together * Lane::size);
    for (std::size_t i = 0; i < head; ++i) {
        leave_one(i);
    }
    for (std::size_t i = 0; i < in_blocks; i += together * Lane::size) {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < together; ++j) {
            const std::size_t place = i + j * Lane::size;
            advance(Whole<V>{place}, 0, j % part_vectors<V>);
            store_result<stores>(at.leaving + head + place,
                                 Lane::load(at.before + head + place) *
                                     Lane::splat(at.factor));
        }
    }
    for (std::size_t i = head + in_blocks; i < n; ++i) {
        leave_one(i);
    }
    along_row<V>(n - in_blocks,
                 [&](auto piece, std::size_t j) ATTN_BODY { advance(piece, in_blocks, j); });
    return {largest.value(), sum.value()};
}

template <Stores stores, class V>
void softmax_three_rows(MatrixSize size, const float* x, float* y, float* exponentials)
{
    const std::size_t n = size.n;
    if (size.n_rows == 0) {
        return;
    }
    float sum = exponentials_under<V>(n, x, largest_of<V>(n, x), exponentials);
    float largest = size.n_rows > 1 ? largest_of<V>(n, x + n) : 0.0F;
    for (std::size_t row = 1; row < size.n_rows; ++row) {
        const std::size_t next = row + 1 < size.n_rows ? row + 1 : row;
        const NextAndSum found = walk_along_three<stores, V>(
            n, {x + next * n, x + row * n, finite_shift(largest), exponentials + row % 2 * n,
                exponentials + (row - 1) % 2 * n, one_over(sum), y + (row - 1) * n});
        largest = found.next_largest;
        sum = found.sum;
    }
    const std::size_t last = size.n_rows - 1;
    store_scaled<stores, V>(n, one_over(sum), exponentials + last % 2 * n, y + last * n);
    stores_are_seen();
}

template <class V>
constexpr SoftmaxKernels softmax_kernels()
{
    return {.exp2 = exp2_of_all<V>,
            .largest = largest_of<V>,
            .exponentials = exponentials_under<V>,
            .scale = scale_all<V>,
            .rows = softmax_rows<V>,
            .rows_online = softmax_rows_online<V>,
            .rows_in_chunks = softmax_rows_in_chunks<V>,
            .three_rows = softmax_three_rows<Stores::through_the_cache, V>,
            .three_rows_streamed = softmax_three_rows<Stores::around_the_cache, V>};
}

} // namespace
