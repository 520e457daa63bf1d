/// \file
/// \brief Rows: softmax, normalisation, the loss. A row is walked along several times, but lies
/// in the first cache from the first time on.
namespace {

using attn::kernels::LogitGradient;
using attn::kernels::LogitSums;
using attn::kernels::NormGradient;
using attn::kernels::NormScale;
using attn::kernels::RowKernels;
using attn::kernels::RowMoments;
using attn::kernels::RowsSize;

// ---------------------------------------------------------------- softmax

/// y_j = e^(x_j - shift), and their sum.
template <class V>
[[gnu::always_inline]] inline NumberOf<V> exponentials_of(std::size_t n, const NumberOf<V>* x,
                                                          NumberOf<V> shift, NumberOf<V>* y)
{
    Total<V> sum;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY {
        const V weight =
            exp_of(at.load(x, minus_infinity<NumberOf<V>>) - Lanes<V>::splat(shift));
        at.store(y, weight);
        sum.add(j, weight);
    });
    return sum.value();
}

template <class V>
void softmax(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    using T = NumberOf<V>;
    const T largest = largest_of<V>(n, x);
    // What is subtracted is finite, so that -inf - (-inf) does not come up.
    const T shift = largest > minus_infinity<T> ? largest : T(0);
    const T sum = exponentials_of<V>(n, x, shift, y);
    const V factor = Lanes<V>::splat(sum == T(0) ? T(0) : T(1) / sum);
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY { at.store(y, at.load(y) * factor); });
}

/// dy where a weight is not 0, else 0: what arrives at a masked key does not count.
template <class V>
[[gnu::always_inline]] inline V where_weighted(V weight, V dy)
{
    const V zero = Lanes<V>::splat(NumberOf<V>(0));
    return Lanes<V>::where_equal(weight, zero, zero, dy);
}

// [softmax_backward]
template <class V>
void softmax_backward(std::size_t n, const NumberOf<V>* y, const NumberOf<V>* dy,
                      NumberOf<V>* dx)
{
    Total<V> products;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY {
        const V weight = at.load(y);
        products.add_product(j, weight, where_weighted(weight, at.load(dy)));
    });
    const V mean = Lanes<V>::splat(products.value());
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY {
        const V weight = at.load(y);
        at.store(dx, weight * (where_weighted(weight, at.load(dy)) - mean));
    });
}
// [softmax_backward]

// ---------------------------------------------------------------- activation

/// Calls f(row) with the first entry of each row.
template <class Body>
[[gnu::always_inline]] inline void for_each_row(RowsSize size, Body f)
{
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        f(row * size.step, row);
    }
}

template <class V>
void relu(RowsSize size, NumberOf<V>* y)
{
    const V zero = Lanes<V>::splat(NumberOf<V>(0));
    for_each_row(size, [=](std::size_t first, std::size_t) ATTN_BODY {
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            const V z = at.load(y + first);
            at.store(y + first, Lanes<V>::where_not_above(z, zero, zero, z));
        });
    });
}

template <class V>
void relu_backward(RowsSize size, const NumberOf<V>* y, const NumberOf<V>* dy, NumberOf<V>* dz)
{
    const V zero = Lanes<V>::splat(NumberOf<V>(0));
    for_each_row(size, [=](std::size_t first, std::size_t) ATTN_BODY {
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            at.store(dz + first, Lanes<V>::where_not_above(at.load(y + first), zero, zero,
                                                           at.load(dy + first)));
        });
    });
}

template <class V>
void add_columns(RowsSize size, const NumberOf<V>* dy, NumberOf<V>* sum)
{
    for_each_row(size, [=](std::size_t first, std::size_t) ATTN_BODY {
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            at.store(sum, at.load(sum) + at.load(dy + first));
        });
    });
}

// ---------------------------------------------------------------- normalisation

/// Normalises one row whose sum is known.
template <class V>
[[gnu::always_inline]] inline void
normalise_row(std::size_t n, const NumberOf<V>* x, NumberOf<V> sum,
              const NormScale<NumberOf<V>>& scale, NumberOf<V>* y, NumberOf<V>* mean,
              NumberOf<V>* inverse_deviation)
{
    using T = NumberOf<V>;
    const T length = static_cast<T>(n);
    const T centre = sum / length;
    const V all_centre = Lanes<V>::splat(centre);
    Total<V> squares;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY {
        const V distance = at.only(at.load(x) - all_centre);
        squares.add_product(j, distance, distance);
    });
    const T factor = T(1) / square_root(squares.value() / length + scale.epsilon);
    const V all_factor = Lanes<V>::splat(factor);
    const T* const gain = scale.gain;
    const T* const bias = scale.bias;
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY {
        const V z = (at.load(x) - all_centre) * all_factor;
        at.store(y, Lanes<V>::fma(at.load(gain), z, at.load(bias)));
    });
    *mean = centre;
    *inverse_deviation = factor;
}

template <class V>
void normalise(RowsSize size, const NumberOf<V>* x, const NormScale<NumberOf<V>>& scale,
               NumberOf<V>* y, RowMoments<NumberOf<V>> moments)
{
    for_each_row(size, [&](std::size_t first, std::size_t row) ATTN_BODY {
        normalise_row<V>(size.n, x + first, sum_of<V>(size.n, x + first), scale, y + first,
                         moments.mean + row, moments.inverse_deviation + row);
    });
}

template <class V>
void add_and_normalise(RowsSize size, const NumberOf<V>* x, const NumberOf<V>* y,
                       const NormScale<NumberOf<V>>& scale, NumberOf<V>* sum,
                       NumberOf<V>* normalised, RowMoments<NumberOf<V>> moments)
{
    for_each_row(size, [&](std::size_t first, std::size_t row) ATTN_BODY {
        Total<V> total;
        along_row<V>(size.n, [&](auto at, std::size_t j) ATTN_BODY {
            const V here = at.load(x + first) + at.load(y + first);
            at.store(sum + first, here);
            total.add(j, here);
        });
        normalise_row<V>(size.n, sum + first, total.value(), scale, normalised + first,
                         moments.mean + row, moments.inverse_deviation + row);
    });
}

template <class V>
void normalise_backward(RowsSize size, const NormGradient<NumberOf<V>>& from,
                        const NumberOf<V>* gain, bool adds, NumberOf<V>* dx)
{
    using T = NumberOf<V>;
    using Lane = Lanes<V>;
    const T length = static_cast<T>(size.n);
    for_each_row(size, [&](std::size_t first, std::size_t row) ATTN_BODY {
        const T* const x = from.x + first;
        const T* const dy = from.dy + first;
        const V mean = Lane::splat(from.moments.mean[row]);
        const V factor = Lane::splat(from.moments.inverse_deviation[row]);
        // Take the two means.
        Total<V> sum_g;
        Total<V> sum_gz;
        along_row<V>(size.n, [&](auto at, std::size_t j) ATTN_BODY {
            const V z = (at.load(x) - mean) * factor;
            const V g = at.load(gain) * at.load(dy);
            sum_g.add(j, g);
            sum_gz.add_product(j, g, z);
        });
        // Pass on what is left when the means are taken out.
        const V mean_g = Lane::splat(sum_g.value() / length);
        const V mean_gz = Lane::splat(sum_gz.value() / length);
        T* const to = dx + first;
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            const V z = (at.load(x) - mean) * factor;
            const V g = at.load(gain) * at.load(dy);
            const V without_means = (g - mean_g) - z * mean_gz;
            const V before = adds ? at.load(to) : Lane::splat(T(0));
            at.store(to, Lane::fma(without_means, factor, before));
        });
    });
}

template <class V>
void add_norm_columns(RowsSize size, const NormGradient<NumberOf<V>>& from, NumberOf<V>* dgain,
                      NumberOf<V>* dbias)
{
    using Lane = Lanes<V>;
    if (dbias != nullptr) {
        add_columns<V>(size, from.dy, dbias);
    }
    if (dgain == nullptr) {
        return;
    }
    for_each_row(size, [&](std::size_t first, std::size_t row) ATTN_BODY {
        const V mean = Lane::splat(from.moments.mean[row]);
        const V factor = Lane::splat(from.moments.inverse_deviation[row]);
        const NumberOf<V>* const x = from.x + first;
        const NumberOf<V>* const dy = from.dy + first;
        along_row<V>(size.n, [=](auto at, std::size_t) ATTN_BODY {
            const V z = (at.load(x) - mean) * factor;
            at.store(dgain, Lane::fma(at.load(dy), z, at.load(dgain)));
        });
    });
}

// ---------------------------------------------------------------- the loss

template <class V>
LogitSums<NumberOf<V>> logit_sums(std::size_t n, const NumberOf<V>* x)
{
    const NumberOf<V> largest = largest_of<V>(n, x);
    const V shift = Lanes<V>::splat(largest);
    Total<V> exponentials;
    Total<V> differences;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY {
        const V difference = at.load(x) - shift;
        differences.add(j, at.only(difference));
        exponentials.add(j, at.only(exp_of(difference)));
    });
    return {largest, exponentials.value(), differences.value()};
}

template <class V>
void logit_gradient(std::size_t n, const NumberOf<V>* x, const LogitGradient<NumberOf<V>>& how,
                    NumberOf<V>* dx)
{
    using Lane = Lanes<V>;
    const LogitGradient<NumberOf<V>> by = how;
    const V largest = Lane::splat(by.largest);
    const V factor = Lane::splat(by.factor);
    const V constant = Lane::splat(by.constant);
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY {
        const V part = exp_of(at.load(x) - largest) * factor - constant;
        at.store(dx, by.adds ? at.load(dx) + part : part);
    });
}

template <class V>
constexpr RowKernels<NumberOf<V>> row_kernels()
{
    return {.softmax = softmax<V>,
            .softmax_backward = softmax_backward<V>,
            .relu = relu<V>,
            .relu_backward = relu_backward<V>,
            .add_columns = add_columns<V>,
            .normalise = normalise<V>,
            .add_and_normalise = add_and_normalise<V>,
            .normalise_backward = normalise_backward<V>,
            .add_norm_columns = add_norm_columns<V>,
            .logit_sums = logit_sums<V>,
            .logit_gradient = logit_gradient<V>};
}

} // namespace
