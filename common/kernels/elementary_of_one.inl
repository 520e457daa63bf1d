/// \file
/// \brief Elementary functions of one number. A file for one instruction set includes it once.
/// A number is a vector of one lane, so that exp, log and tanh have the bits that they have in
/// a list. Short and not fast: what is asked for millions of numbers is in elementary.inl.
#include "common/kernels/elementary.inl"
#include "common/kernels/elementary_of_one.hpp"

namespace {

using One = OneLane<double>;

constexpr double infinity = -minus_infinity<double>;

template <class T>
T exp_of_one(T x)
{
    return exp_of(OneLane<T>{x}).value;
}

template <class T>
T log_of_one(T x)
{
    return log_of(OneLane<T>{x}).value;
}

template <class T>
T tanh_of_one(T x)
{
    return tanh_of(OneLane<T>{x}).value;
}

/// By the logarithm of the rounded u = 1 + x, and its derivative times what u lacks.
double log1p_of_one(double x)
{
    const double u = 1 + x;
    if (u == 1 || x == infinity) {
        return x;
    }
    return u > 0 ? log_of_one(u) + (x - (u - 1)) / u : log_of_one(u);
}

// ---------------------------------------------------------------- twice the precision

/// A number of twice the precision: high + low, where high is that sum rounded (Dekker, 1971).
struct Double
{
    double high;
    double low;
};

/// a + b exactly, for |a| >= |b|.
Double sum_of_ordered(double a, double b)
{
    const double high = a + b;
    return {high, b - (high - a)};
}

/// a + b exactly (Knuth, "The art of computer programming", volume 2, 4.2.2, theorem B).
Double sum_of(double a, double b)
{
    const double high = a + b;
    const double b_in_high = high - a;
    return {high, (a - (high - b_in_high)) + (b - b_in_high)};
}

/// a b, but for the product of the two low parts.
Double product_of(Double a, Double b)
{
    const double high = a.high * b.high;
    const double low = fused(a.high, b.high, -high);
    return sum_of_ordered(high, fused(a.high, b.low, fused(a.low, b.high, low)));
}

// ---------------------------------------------------------------- powers

/// The natural logarithm of a positive, finite number, with an error below 2^-64 of it: the
/// series of log_of, with its first terms in twice the precision.
Double log_in_double(double x)
{
    // ((ln((1 + s) / (1 - s)) / s - 2) / s^2 - 2 / 3) / s^2 by s^2, for |s| <= 3 - 2 sqrt(2).
    static constexpr double coefficients[] = {
        0.3999999999999998,  0.2857142857144511,  0.2222222221753641, 0.18181818870322727,
        0.15384556870398064, 0.13336317443032325, 0.1167481801112221, 0.11989017322969646,
    };
    constexpr Double two_thirds = {0.6666666666666666, 3.700743415417188e-17};
    constexpr Double ln_2 = {0.6931471805599453, 2.3190468138462996e-17};
    using L = Lanes<One>;
    using C = ElementaryConstants<double>;

    // Split x into 2^k and 1 + f, from sqrt(1/2) to sqrt(2).
    const bool subnormal = x < C::smallest_normal;
    const auto bits = L::bits({subnormal ? x * C::lift_of_subnormals : x});
    const auto k_as_integer =
        L::moved_down<C::mantissa_bits>(bits - L::bits({C::root_of_half}));
    const double k =
        static_cast<double>(k_as_integer.value) - (subnormal ? C::exponent_of_lift : 0);
    const double f = L::from_bits(bits - L::moved_up<C::mantissa_bits>(k_as_integer)).value - 1;

    // s = f / (2 + f), with the rest of the quotient.
    const Double divisor = sum_of_ordered(2, f);
    const double s_high = f / divisor.high;
    const double rest = fused(-s_high, divisor.low, fused(-s_high, divisor.high, f));
    const Double s = sum_of_ordered(s_high, rest / divisor.high);

    // 2 s + s^3 (2/3 + ...).
    const Double square = product_of(s, s);
    const double later_terms = square.high * polynomial(One{square.high}, coefficients).value;
    Double series = sum_of_ordered(two_thirds.high, later_terms);
    series.low += two_thirds.low;
    const Double third_power = product_of(product_of(series, square), s);
    Double log = sum_of_ordered(2 * s.high, third_power.high);
    log = sum_of_ordered(log.high, log.low + (2 * s.low + third_power.low));

    // k ln 2, which is the larger part unless it is 0.
    const Double of_two = product_of({k, 0}, ln_2);
    const Double total = sum_of(of_two.high, log.high);
    return sum_of_ordered(total.high, total.low + (of_two.low + log.low));
}

/// 2^k for a k that a normal number's exponent can hold.
double two_to(std::int64_t k)
{
    return __builtin_bit_cast(double, (k + 1023) << 52);
}

/// e^(x.high + x.low) within 0.6 ulp.
double exp_of_double(Double x)
{
    using C = ElementaryConstants<double>;
    if (!(x.high < 710)) {
        return infinity;
    }
    if (x.high < -746) {
        return 0;
    }
    // As power_of_e, with what each step of the reduction rounds off.
    const double shifted = fused(x.high, C::log2_e, C::round_by_adding);
    const double k = shifted - C::round_by_adding;
    const double almost = fused(k, -C::ln_2_high, x.high);
    const double nearly = fused(k, -C::ln_2_low, almost);
    const Double rest = sum_of(nearly, fused(k, -C::ln_2_low, almost - nearly) + x.low);
    const double of_low = fused(rest.low, rest.high, rest.low);
    const double later_terms =
        fused(polynomial(One{rest.high}, C::expm1).value, rest.high * rest.high, of_low);
    const Double first_terms = sum_of_ordered(1, rest.high);
    const double power = first_terms.high + (first_terms.low + later_terms);
    // In two halves, since 2^k alone can be too large or too small.
    const auto exponent = static_cast<std::int64_t>(k);
    return power * two_to(exponent / 2) * two_to(exponent - exponent / 2);
}

double pow_of_one(double x, double y)
{
    if (x == 1 || y == 0) {
        return 1;
    }
    if (!(x >= 0) || y != y) { // negative, or one of them is not a number
        return x - x + infinity - infinity;
    }
    if (x == 0 || x == infinity) {
        return (x == 0) == (y < 0) ? infinity : 0;
    }
    if (y == infinity || y == -infinity) {
        return (x > 1) == (y > 0) ? infinity : 0;
    }
    const Double log = log_in_double(x);
    const double high = log.high * y;
    return exp_of_double({high, fused(log.high, y, -high) + log.low * y});
}

// ---------------------------------------------------------------- sine and cosine

/// x less the nearest multiple n of pi / 2, in twice the precision.
struct Angle
{
    Double rest;
    std::int64_t n;
};

/// By pi / 2 in three parts of 53 bits (Cody and Waite, 1980). The first step is exact, since
/// what is left is a multiple of the last place of pi / 2 and below 1.
Angle angle_of(double x)
{
    using C = ElementaryConstants<double>;
    const double n = fused(x, 0.6366197723675814, C::round_by_adding) - C::round_by_adding;
    const double first = fused(-n, 1.5707963267948966, x);
    const double product = n * 6.123233995736766e-17;
    const double product_low = fused(n, 6.123233995736766e-17, -product);
    const Double second = sum_of(first, -product);
    const double low = fused(n, 1.4973849048591698e-33, second.low - product_low);
    return {sum_of_ordered(second.high, low), static_cast<std::int64_t>(n)};
}

/// sin(x) for |x| <= pi / 4: the polynomial, and the derivative times the low part.
double sin_of_rest(Double x)
{
    static constexpr double coefficients[] = {
        -0.16666666666666632,   0.008333333333322413,    -0.0001984126982980796,
        2.7557313691958432e-06, -2.5050758120446953e-08, 1.589679590835939e-10,
    };
    const double square = x.high * x.high;
    const double cubic = square * polynomial(One{square}, coefficients).value;
    const double of_low = fused(-0.5 * square, x.low, x.low);
    return x.high + fused(x.high, cubic, of_low);
}

/// cos(x) for |x| <= pi / 4.
double cos_of_rest(Double x)
{
    static constexpr double coefficients[] = {
        0.0416666666666666,    -0.0013888888888874125, 2.4801587289482208e-05,
        -2.75573143523221e-07, 2.0875723269956845e-09, -1.1359647560786647e-11,
    };
    const double square = x.high * x.high;
    const double quartic = square * square * polynomial(One{square}, coefficients).value;
    const double half_square_low = fused(x.high, 0.5 * x.high, -0.5 * square);
    const Double first_terms = sum_of_ordered(1, -0.5 * square);
    return first_terms.high +
           (first_terms.low + (quartic - fused(x.high, x.low, half_square_low)));
}

/// sin(x + quarters pi / 2).
double sin_of_quarters(double x, std::int64_t quarters)
{
    if (x != x) {
        return x;
    }
    const Angle angle = angle_of(x);
    const std::int64_t n = angle.n + quarters;
    const double y = (n & 1) == 0 ? sin_of_rest(angle.rest) : cos_of_rest(angle.rest);
    return (n & 2) == 0 ? y : -y;
}

double sin_of_one(double x)
{
    return x == 0 ? x : sin_of_quarters(x, 0); // -0 stays
}

double cos_of_one(double x)
{
    return sin_of_quarters(x, 1);
}

// ---------------------------------------------------------------- length

/// The root of the sum of squares, corrected by what it and the squares rounded off (Borges,
/// "An improved algorithm for hypot(a, b)", 2019, algorithm 4).
double hypot_of_one(double x, double y)
{
    const double a = x < 0 ? -x : x;
    const double b = y < 0 ? -y : y;
    if (a == infinity || b == infinity) {
        return infinity;
    }
    const double large = a > b ? a : b;
    const double small = a > b ? b : a;
    if (!(large <= small * 0x1p60)) { // the smaller one does not count, or is not a number
        return large + small;
    }
    // By a power of two, so that no square is too large or too small.
    const double scale = large > 0x1p500 ? 0x1p-600 : small < 0x1p-400 ? 0x1p600 : 1;
    const double p = large * scale;
    const double q = small * scale;
    const double root = __builtin_sqrt(fused(p, p, q * q));
    if (root == 0) {
        return 0;
    }
    const double of_root = root * root;
    const double of_p = p * p;
    const double too_much =
        (fused(-q, q, of_root - of_p) + fused(root, root, -of_root)) - fused(p, p, -of_p);
    return (root - too_much / (2 * root)) / scale;
}

constexpr attn::kernels::ElementaryOfOne elementary_of_one()
{
    return {exp_of_one<float>, exp_of_one<double>, log_of_one<float>,   log_of_one<double>,
            log1p_of_one,      tanh_of_one<float>, tanh_of_one<double>, pow_of_one,
            sin_of_one,        cos_of_one,         hypot_of_one};
}

} // namespace
