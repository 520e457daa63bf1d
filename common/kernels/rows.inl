/// \file
/// \brief The bodies of rows.hpp. A row is walked along several times, but lies in the first
/// cache from the first time on.
namespace {

using attn::simd_transformer::LogitGradient;
using attn::simd_transformer::LogitSums;
using attn::simd_transformer::NormGradient;
using attn::simd_transformer::NormGradientSums;
using attn::simd_transformer::NormScale;
using attn::simd_transformer::RowKernels;
using attn::simd_transformer::RowMoments;
using attn::simd_transformer::RowsSize;

/// A body must not become a function of its own: its sums would leave the registers.
#define ATTN_BODY __attribute__((always_inline))

// ---------------------------------------------------------------- bias and activation

template <class V>
void add_bias(RowsSize size, const float* bias, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, y += size.n) {
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            Lanes<W>::store(y + i, Lanes<W>::load(y + i) + Lanes<W>::load(bias + i));
        });
    }
}

template <class V>
void bias_relu(RowsSize size, const float* bias, float* y)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, y += size.n) {
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            const W z = Lanes<W>::load(y + i) + Lanes<W>::load(bias + i);
            Lanes<W>::store(y + i, Lanes<W>::max(Lanes<W>::splat(0.0F), z));
        });
    }
}

/// The normal distribution function and its density.
template <class V>
struct Normal
{
    V below;   ///< Phi(z)
    V density; ///< Phi'(z)
};

/// (1 - Phi(z)) e^(z^2 / 2) of z >= 0 as t p(t) with t = 1 / (1 + .3 z): the form of Abramowitz
/// and Stegun's 7.1.26, with a polynomial of relative error 1.3e-7, so that the tail of Phi below
/// zero keeps its digits.
template <class V>
[[gnu::always_inline]] inline V normal_tail_factor(V magnitude)
{
    constexpr float coefficients[] = {0.0359317251F,  -0.158275962F, 0.208206534F,
                                      -0.0553937927F, 0.129469171F,  0.0996375009F,
                                      0.120798357F,   0.119626388F};
    const V one = Lanes<V>::splat(1.0F);
    const V t = Lanes<V>::quotient(one, Lanes<V>::fma(magnitude, Lanes<V>::splat(0.3F), one));
    return polynomial(t, coefficients) * t;
}

/// Phi and Phi', both from one power of e.
template <class V>
[[gnu::always_inline]] inline Normal<V> normal(V z)
{
    using Lane = Lanes<V>;
    const V zero = Lane::splat(0.0F);
    const V power = exp_of_nonpositive(z * z * Lane::splat(-0.5F));
    const V tail = power * normal_tail_factor(Lane::max(zero - z, z));
    return {Lane::where_less(z, zero, tail, Lane::splat(1.0F) - tail),
            power * Lane::splat(0.398942280F)}; // 1 / sqrt(2 pi)
}

template <class V>
void bias_gelu(RowsSize size, const float* bias, float* y, float* slope)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, y += size.n) {
        float* const slope_row = slope == nullptr ? nullptr : slope + row * size.n;
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            const W z = Lanes<W>::load(y + i) + Lanes<W>::load(bias + i);
            const Normal<W> at = normal(z);
            Lanes<W>::store(y + i, z * at.below);
            if (slope_row != nullptr) {
                Lanes<W>::store(slope_row + i, Lanes<W>::fma(z, at.density, at.below));
            }
        });
    }
}

template <class V>
void sum_columns(RowsSize size, const float* dy, float* dbias)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, dy += size.n) {
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            Lanes<W>::store(dbias + i, Lanes<W>::load(dbias + i) + Lanes<W>::load(dy + i));
        });
    }
}

template <class V>
void relu_back(RowsSize size, const float* y, const float* dy, float* dz, float* dbias)
{
    for (std::size_t row = 0; row < size.n_rows;
         ++row, y += size.n, dy += size.n, dz += size.n) {
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            const W zero = Lanes<W>::splat(0.0F);
            const W slope =
                Lanes<W>::where_less(zero, Lanes<W>::load(y + i), Lanes<W>::load(dy + i), zero);
            Lanes<W>::store(dz + i, slope);
            Lanes<W>::store(dbias + i, Lanes<W>::load(dbias + i) + slope);
        });
    }
}

template <class V>
void gelu_back(RowsSize size, const float* slope, const float* dy, float* dz, float* dbias)
{
    for (std::size_t row = 0; row < size.n_rows;
         ++row, slope += size.n, dy += size.n, dz += size.n) {
        along_row<V>(size.n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            const W product = Lanes<W>::load(slope + i) * Lanes<W>::load(dy + i);
            Lanes<W>::store(dz + i, product);
            Lanes<W>::store(dbias + i, Lanes<W>::load(dbias + i) + product);
        });
    }
}

// ---------------------------------------------------------------- normalisation

/// Normalises one row whose sum is known.
template <class V>
[[gnu::always_inline]] inline void normalise_row(std::size_t n, const float* x, float sum,
                                                 const NormScale& scale, float* y, float* mean,
                                                 float* inverse_deviation)
{
    const float one_over_n = 1.0F / static_cast<float>(n);
    const float centre = sum * one_over_n;
    Total<V> squares;
    along_row<V>(n, [&]<class W>(As<W>, std::size_t i, std::size_t j) ATTN_BODY {
        const W distance = Lanes<W>::load(x + i) - Lanes<W>::splat(centre);
        squares.add(j, distance * distance);
    });
    const float variance = squares.value() * one_over_n;
    const float factor = 1.0F / __builtin_sqrtf(variance + scale.epsilon);
    const float* const gain = scale.gain;
    const float* const bias = scale.bias;
    along_row<V>(n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
        const W z = (Lanes<W>::load(x + i) - Lanes<W>::splat(centre)) * Lanes<W>::splat(factor);
        Lanes<W>::store(y + i,
                        Lanes<W>::fma(Lanes<W>::load(gain + i), z, Lanes<W>::load(bias + i)));
    });
    *mean = centre;
    *inverse_deviation = factor;
}

template <class V>
void normalise(RowsSize size, const float* x, const NormScale& scale, float* y,
               RowMoments moments)
{
    for (std::size_t row = 0; row < size.n_rows; ++row, x += size.n, y += size.n) {
        Total<V> sum;
        along_row<V>(size.n, [&]<class W>(As<W>, std::size_t i, std::size_t j)
                                 ATTN_BODY { sum.add(j, Lanes<W>::load(x + i)); });
        normalise_row<V>(size.n, x, sum.value(), scale, y, moments.mean + row,
                         moments.inverse_deviation + row);
    }
}

template <class V>
void add_and_normalise(RowsSize size, const float* x, const float* y, const NormScale& scale,
                       float* sum, float* normalised, RowMoments moments)
{
    for (std::size_t row = 0; row < size.n_rows;
         ++row, x += size.n, y += size.n, sum += size.n, normalised += size.n) {
        Total<V> total;
        along_row<V>(size.n, [&]<class W>(As<W>, std::size_t i, std::size_t j) ATTN_BODY {
            const W here = Lanes<W>::load(x + i) + Lanes<W>::load(y + i);
            Lanes<W>::store(sum + i, here);
            total.add(j, here);
        });
        normalise_row<V>(size.n, sum, total.value(), scale, normalised, moments.mean + row,
                         moments.inverse_deviation + row);
    }
}

template <class V>
void normalise_back(RowsSize size, const NormGradient& from, const NormGradientSums& to)
{
    const std::size_t n = size.n;
    const float one_over_n = 1.0F / static_cast<float>(n);
    const float* const gain = from.gain;
    for (std::size_t row = 0; row < size.n_rows; ++row) {
        const float* const x = from.x + row * n;
        const float* const dy = from.dy + row * n;
        const float mean = from.moments.mean[row];
        const float factor = from.moments.inverse_deviation[row];
        // Add to gain and bias, and take the two means.
        Total<V> sum_g;
        Total<V> sum_gz;
        along_row<V>(n, [&]<class W>(As<W>, std::size_t i, std::size_t j) ATTN_BODY {
            using Lane = Lanes<W>;
            const W z = (Lane::load(x + i) - Lane::splat(mean)) * Lane::splat(factor);
            const W here = Lane::load(dy + i);
            const W g = Lane::load(gain + i) * here;
            Lane::store(to.dgain + i, Lane::fma(here, z, Lane::load(to.dgain + i)));
            Lane::store(to.dbias + i, Lane::load(to.dbias + i) + here);
            sum_g.add(j, g);
            sum_gz.add(j, g * z);
        });
        if (to.dx == nullptr) {
            continue;
        }
        // Pass on what is left when the means are taken out.
        const float mean_g = sum_g.value() * one_over_n;
        const float mean_gz = sum_gz.value() * one_over_n;
        float* const dx = to.dx + row * n;
        const bool adds = to.adds;
        along_row<V>(n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
            using Lane = Lanes<W>;
            const W z = (Lane::load(x + i) - Lane::splat(mean)) * Lane::splat(factor);
            const W g = Lane::load(gain + i) * Lane::load(dy + i);
            const W without_means = g - Lane::splat(mean_g) - z * Lane::splat(mean_gz);
            const W before = adds ? Lane::load(dx + i) : Lane::splat(0.0F);
            Lane::store(dx + i, Lane::fma(without_means, Lane::splat(factor), before));
        });
    }
}

// ---------------------------------------------------------------- the loss

template <class V>
LogitSums logit_sums(std::size_t n, const float* x)
{
    Largest<V> largest;
    along_row<V>(n, [&]<class W>(As<W>, std::size_t i, std::size_t j)
                        ATTN_BODY { largest.add(j, Lanes<W>::load(x + i)); });
    const float shift = largest.value();
    Total<V> powers;
    Total<V> differences;
    along_row<V>(n, [&]<class W>(As<W>, std::size_t i, std::size_t j) ATTN_BODY {
        const W difference = Lanes<W>::load(x + i) - Lanes<W>::splat(shift);
        differences.add(j, difference);
        powers.add(j, exp_of_nonpositive(difference));
    });
    return {shift, powers.value(), differences.value()};
}

template <class V>
void logit_gradient(std::size_t n, const float* x, const LogitGradient& how, float* dx)
{
    const LogitGradient by = how;
    along_row<V>(n, [=]<class W>(As<W>, std::size_t i, std::size_t) ATTN_BODY {
        using Lane = Lanes<W>;
        const W power = exp_of_nonpositive(Lane::load(x + i) - Lane::splat(by.largest));
        const W before = by.adds ? Lane::load(dx + i) : Lane::splat(0.0F);
        Lane::store(dx + i, Lane::fma(power, Lane::splat(by.factor),
                                      before - Lane::splat(by.constant)));
    });
}

#undef ATTN_BODY

template <class V>
constexpr RowKernels row_kernels()
{
    return {.add_bias = add_bias<V>,
            .bias_relu = bias_relu<V>,
            .bias_gelu = bias_gelu<V>,
            .sum_columns = sum_columns<V>,
            .relu_back = relu_back<V>,
            .gelu_back = gelu_back<V>,
            .normalise = normalise<V>,
            .add_and_normalise = add_and_normalise<V>,
            .normalise_back = normalise_back<V>,
            .logit_sums = logit_sums<V>,
            .logit_gradient = logit_gradient<V>};
}

} // namespace
