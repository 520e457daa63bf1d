/// \file
/// \brief Elementary functions of vectors, and of lists of numbers: e to a power, logarithm,
/// hyperbolic tangent, logistic function and error function. Every step is one that all
/// instruction sets round alike, and a fused step is written out as Lanes<V>::fma; so a number's
/// result has the same bits in a vector of any width. The polynomials are minimax fits (Remez) of
/// our own; the steps are the usual ones (Muller, "Elementary functions", 3rd edition, chapter
/// 11). Deliberately without a switch for less accuracy.
#include "common/kernels/along_row.inl"
#include "common/kernels/elementary_kernels.hpp"
#include "common/kernels/vector.inl"

namespace {

/// The numbers of the functions below. A number's bits are those of its size without a sign.
template <class T>
struct ElementaryConstants;

template <>
struct ElementaryConstants<float>
{
    static constexpr int mantissa_bits = 23;
    static constexpr std::int32_t sign_bit = -0x7fffffff - 1;
    static constexpr std::int32_t all_but_sign = 0x7fffffff;
    static constexpr float round_by_adding = 12582912.0F; ///< 1.5 2^23: no fraction beside it
    static constexpr float log2_e = 1.44269504F;
    static constexpr float ln_2_high = 0.693359375F; ///< so short that its multiples are exact
    static constexpr float ln_2_low = -2.12194440e-4F;
    static constexpr float exp_overflows_above = 88.7228317F;
    static constexpr float exp_is_0_below = -87.3365402F;
    static constexpr float tanh_is_1_from = 9.1F;
    static constexpr float erf_is_1_from = 4.0F;

    /// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2.
    static constexpr float expm1[] = {0.49999997F, 0.16666545F, 0.0416671634F, 0.00836628582F,
                                      0.00138842256F};
    /// erf(x) / x - 1 by x^2, for |x| < 0.95.
    static constexpr float erf_is_small_below = 0.95F;
    static constexpr float erf_small[] = {0.128379166F,   -0.376126319F,  0.112836629F,
                                          -0.0268576704F, 0.00519690849F, -0.000809749938F,
                                          8.18500193e-05F};
    /// ln(1 - erf(x)) + x for 0.95 <= x <= 4.
    static constexpr float erf_large[] = {0.000183411568F, -0.129556537F,   -0.633263469F,
                                          -0.108371295F,   0.0251780339F,   -0.00419319561F,
                                          0.000439008698F, -2.14866795e-05F};

    static constexpr float smallest_normal = 0x1p-126F;
    static constexpr float lift_of_subnormals = 0x1p25F;
    static constexpr float exponent_of_lift = 25.0F;
    static constexpr float root_of_half = 0.707106769F;
    /// (ln((1 + s) / (1 - s)) / s - 2) / s^2 by s^2, for |s| <= 3 - 2 sqrt(2).
    static constexpr float log[] = {0.666667759F, 0.399775356F, 0.29871881F};
};

template <>
struct ElementaryConstants<double>
{
    static constexpr int mantissa_bits = 52;
    static constexpr std::int64_t sign_bit = -0x7fffffffffffffff - 1;
    static constexpr std::int64_t all_but_sign = 0x7fffffffffffffff;
    static constexpr double round_by_adding = 6755399441055744.0;
    static constexpr double log2_e = 1.4426950408889634;
    static constexpr double ln_2_high = 0.693147180369123816490;
    static constexpr double ln_2_low = 1.90821492927058770002e-10;
    static constexpr double exp_overflows_above = 709.782712893384;
    static constexpr double exp_is_0_below = -708.3964185322641;
    static constexpr double tanh_is_1_from = 19.1;
    static constexpr double erf_is_1_from = 6.0;
    static constexpr double expm1[] = {
        0.5,
        0.16666666666666677,
        0.04166666666666653,
        0.008333333333322257,
        0.0013888888888955381,
        0.00019841269884568935,
        2.4801587182368092e-05,
        2.7557245769719436e-06,
        2.755739661923882e-07,
        2.5108491657190414e-08,
        2.087662290078898e-09,
    };
    static constexpr double erf_is_small_below = 1.0;
    static constexpr double erf_small[] = {
        0.1283791670955126,     -0.3761263890318375,    0.11283791670954843,
        -0.02686617064507107,   0.0052239776247681065,  -0.0008548326978197921,
        0.00012055331022021059, -1.492559324093659e-05, 1.6460969726845653e-06,
        -1.635000277466286e-07, 1.465778767141556e-08,  -1.1365506279675104e-09,
        5.945283703431481e-11,
    };
    static constexpr double erf_large[] = {
        2.6610855145824808e-08,  -0.12837950703073528,    -0.6366177193684851,
        -0.102780402828928,      0.01914936656046366,     0.00016705792602327447,
        -0.0016300353335016546,  0.0005071426202809941,   5.849419158997524e-05,
        -0.00013461738871085692, 7.743267307016221e-05,   -2.9772751629720536e-05,
        8.72158040177378e-06,    -2.022821178906694e-06,  3.74690351845787e-07,
        -5.50424374944738e-08,   6.286876895202295e-09,   -5.38974377955661e-10,
        3.264193200037783e-11,   -1.2450487771244082e-12, 2.2483972705202847e-14,
    };

    static constexpr double smallest_normal = 0x1p-1022;
    static constexpr double lift_of_subnormals = 0x1p54;
    static constexpr double exponent_of_lift = 54.0;
    static constexpr double root_of_half = 0.7071067811865476;
    static constexpr double log[] = {
        0.6666666666666734,  0.3999999999941432,  0.2857142874247574, 0.22222198563363058,
        0.18183564873551533, 0.15314035654861488, 0.1479610727790275,
    };
};

/// c_0 + c_1 x + c_2 x^2 + ..., from the highest power downwards.
template <class V, std::size_t n>
inline V polynomial(V x, const NumberOf<V> (&coefficients)[n])
{
    using L = Lanes<V>;
    V result = L::splat(coefficients[n - 1]);
    for (std::size_t i = n - 1; i-- > 0;) {
        result = L::fma(result, x, L::splat(coefficients[i]));
    }
    return result;
}

/// |x|, or the bound if that is less; a nan stays one.
template <class V>
inline V magnitude_up_to(V x, NumberOf<V> bound)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    const V magnitude = L::from_bits(L::bits(x) & L::splat_bits(C::all_but_sign));
    return L::where_less(L::splat(bound), magnitude, L::splat(bound), magnitude);
}

/// A magnitude, with the sign of x.
template <class V>
inline V with_sign_of(V x, V magnitude)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    return L::from_bits(L::bits(magnitude) | (L::bits(x) & L::splat_bits(C::sign_bit)));
}

// [vector_exp]
/// e^x = 2^k (1 + expm1_of_rest), with the integer k where a floating-point number has its
/// exponent. Nothing of sense for an x whose e^x the type cannot hold.
template <class V>
struct PowerOfE
{
    V expm1_of_rest;
    typename Lanes<V>::Integers k_as_exponent;
};

template <class V>
inline PowerOfE<V> power_of_e(V x)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    // Round x / ln 2 by adding a number so large that only the integer k has room beside it, in
    // the last bits.
    const V shifted = L::fma(x, L::splat(C::log2_e), L::splat(C::round_by_adding));
    const V k = shifted - L::splat(C::round_by_adding);
    // Take k ln 2 from x, in two parts so that the first is exact.
    const V almost = L::fma(k, L::splat(-C::ln_2_high), x);
    const V rest = L::fma(k, L::splat(-C::ln_2_low), almost);
    return {L::fma(polynomial(rest, C::expm1), rest * rest, rest),
            L::template moved_up<C::mantissa_bits>(L::bits(shifted))};
}
// [vector_exp]

// [vector_exp_of]
/// e^x, within 1.5 ulp; 0 below the smallest normal number.
template <class V>
inline V exp_of(V x)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    const PowerOfE<V> power = power_of_e(x);
    const V one = L::splat(1);
    const V in_range = L::from_bits(L::bits(power.expm1_of_rest + one) + power.k_as_exponent);
    // Adding infinity makes one of a large number, and leaves a nan alone.
    const V above = x - L::splat(minus_infinity<NumberOf<V>>);
    const V no_zero = L::where_not_above(x, L::splat(C::exp_overflows_above), in_range, above);
    return L::where_less(x, L::splat(C::exp_is_0_below), L::splat(0), no_zero);
}
// [vector_exp_of]

/// The natural logarithm, within 1 ulp: x is 2^k (1 + f), ln(1 + f) a series by f / (2 + f), as
/// in fdlibm (Sun Microsystems, 1993, e_log.c).
template <class V>
inline V log_of(V x)
{
    using T = NumberOf<V>;
    using L = Lanes<V>;
    using C = ElementaryConstants<T>;
    const V zero = L::splat(0);
    // Split x into a power of two and a number from sqrt(1/2) to sqrt(2).
    const V smallest = L::splat(C::smallest_normal);
    const V lifted = L::where_less(x, smallest, x * L::splat(C::lift_of_subnormals), x);
    const V lift = L::where_less(x, smallest, L::splat(C::exponent_of_lift), zero);
    const V whole_by_adding = L::splat(C::round_by_adding);
    const auto k_as_integer = L::template moved_down<C::mantissa_bits>(
        L::bits(lifted) - L::bits(L::splat(C::root_of_half)));
    const V k =
        (L::from_bits(k_as_integer + L::bits(whole_by_adding)) - whole_by_adding) - lift;
    const V mantissa =
        L::from_bits(L::bits(lifted) - L::template moved_up<C::mantissa_bits>(k_as_integer));

    // Evaluate the series, and add the small parts first.
    const V f = mantissa - L::splat(1);
    const V s = L::quotient(f, f + L::splat(2));
    const V square = s * s;
    const V half_f_squared = L::splat(T(0.5)) * f * f;
    const V by_s = L::fma(square, polynomial(square, C::log), half_f_squared);
    const V small = half_f_squared - L::fma(s, by_s, k * L::splat(C::ln_2_low));
    const V in_range = L::fma(k, L::splat(C::ln_2_high), f - small);

    const V infinity = L::splat(-minus_infinity<T>);
    const V positive = L::where_less(x, infinity, in_range, x); // a nan stays one
    const V not_positive = L::where_less(x, zero, infinity - infinity, zero - infinity);
    return L::where_not_above(x, zero, not_positive, positive);
}

/// The hyperbolic tangent, within 3 ulp: by e^2|x| - 1, which is accurate near 0.
template <class V>
inline V tanh_of(V x)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    const V magnitude = magnitude_up_to(x, C::tanh_is_1_from);
    const PowerOfE<V> power = power_of_e(magnitude + magnitude);
    const V one = L::splat(1);
    const V two_to_k = L::from_bits(L::bits(one) + power.k_as_exponent);
    const V expm1 = L::fma(two_to_k, power.expm1_of_rest, two_to_k - one);
    return with_sign_of(x, L::quotient(expm1, expm1 + L::splat(2)));
}

/// 1 / (1 + e^-x), within 3 ulp.
template <class V>
inline V sigmoid_of(V x)
{
    using L = Lanes<V>;
    const V one = L::splat(1);
    return L::quotient(one, one + exp_of(L::splat(0) - x));
}

/// The error function, within 2 ulp: near 0 an odd polynomial, elsewhere 1 - e^polynomial.
template <class V>
inline V erf_of(V x)
{
    using L = Lanes<V>;
    using C = ElementaryConstants<NumberOf<V>>;
    const V magnitude = magnitude_up_to(x, C::erf_is_1_from);
    const V square = magnitude * magnitude;
    const V small = L::fma(polynomial(square, C::erf_small), magnitude, magnitude);
    const V log_of_rest = polynomial(magnitude, C::erf_large) - magnitude;
    const V large = L::splat(1) - exp_of(log_of_rest);
    return with_sign_of(
        x, L::where_less(magnitude, L::splat(C::erf_is_small_below), small, large));
}

template <class V>
void exp_of_all(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY { at.store(y, exp_of(at.load(x))); });
}

template <class V>
void log_of_all(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY { at.store(y, log_of(at.load(x))); });
}

template <class V>
void tanh_of_all(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY { at.store(y, tanh_of(at.load(x))); });
}

template <class V>
void sigmoid_of_all(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    along_row<V>(n,
                 [=](auto at, std::size_t) ATTN_BODY { at.store(y, sigmoid_of(at.load(x))); });
}

template <class V>
void erf_of_all(std::size_t n, const NumberOf<V>* x, NumberOf<V>* y)
{
    along_row<V>(n, [=](auto at, std::size_t) ATTN_BODY { at.store(y, erf_of(at.load(x))); });
}

template <class V>
void exp_of_all_differences(std::size_t n, const NumberOf<V>* x, NumberOf<V> shift,
                            NumberOf<V>* y)
{
    const V subtracted = Lanes<V>::splat(shift);
    along_row<V>(n, [=](auto at, std::size_t)
                        ATTN_BODY { at.store(y, exp_of(at.load(x) - subtracted)); });
}

/// The entries of an instruction set's table.
template <class V>
constexpr attn::kernels::ElementaryKernels<NumberOf<V>> elementary_kernels()
{
    return {exp_of_all<V>,     log_of_all<V>, tanh_of_all<V>,
            sigmoid_of_all<V>, erf_of_all<V>, exp_of_all_differences<V>};
}

} // namespace
