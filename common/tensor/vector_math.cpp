/// \file
/// \brief The bodies of vector_math.hpp. The polynomials are minimax fits (Remez) of our own;
/// the steps are the usual ones (Muller, "Elementary functions", 3rd edition, chapter 11).
#include "common/tensor/vector_math.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace attn::vector_math {

namespace {

template <typename T>
using Batch = xsimd::batch<T>;

template <typename T>
using IntegerBatch =
    xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

template <typename T>
constexpr std::size_t width = Batch<T>::size;

template <typename T>
struct Constants;

template <>
struct Constants<float>
{
    static constexpr int mantissa_bits = 23;
    static constexpr float round_by_adding = 12582912.0F; ///< 1.5 2^23: no fraction beside it
    static constexpr float log2_e = 1.44269504F;
    static constexpr float ln_2_high = 0.693359375F; ///< so short that its multiples are exact
    static constexpr float ln_2_low = -2.12194440e-4F;
    static constexpr float exp_overflows_above = 88.7228317F;
    static constexpr float exp_is_0_below = -87.3365402F;
    static constexpr float tanh_is_1_from = 9.1F;
    static constexpr float erf_is_1_from = 4.0F;

    /// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2.
    static constexpr std::array expm1 = {0.49999997F, 0.16666545F, 0.0416671634F,
                                         0.00836628582F, 0.00138842256F};
    /// erf(x) / x - 1 by x^2, for |x| < 0.95.
    static constexpr float erf_is_small_below = 0.95F;
    static constexpr std::array erf_small = {0.128379166F,   -0.376126319F,  0.112836629F,
                                             -0.0268576704F, 0.00519690849F, -0.000809749938F,
                                             8.18500193e-05F};
    /// ln(1 - erf(x)) + x for 0.95 <= x <= 4.
    static constexpr std::array erf_large = {0.000183411568F, -0.129556537F,   -0.633263469F,
                                             -0.108371295F,   0.0251780339F,   -0.00419319561F,
                                             0.000439008698F, -2.14866795e-05F};
};

template <>
struct Constants<double>
{
    static constexpr int mantissa_bits = 52;
    static constexpr double round_by_adding = 6755399441055744.0;
    static constexpr double log2_e = 1.4426950408889634;
    static constexpr double ln_2_high = 0.693147180369123816490;
    static constexpr double ln_2_low = 1.90821492927058770002e-10;
    static constexpr double exp_overflows_above = 709.782712893384;
    static constexpr double exp_is_0_below = -708.3964185322641;
    static constexpr double tanh_is_1_from = 19.1;
    static constexpr double erf_is_1_from = 6.0;
    static constexpr std::array expm1 = {
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
    static constexpr std::array erf_small = {
        0.1283791670955126,     -0.3761263890318375,    0.11283791670954843,
        -0.02686617064507107,   0.0052239776247681065,  -0.0008548326978197921,
        0.00012055331022021059, -1.492559324093659e-05, 1.6460969726845653e-06,
        -1.635000277466286e-07, 1.465778767141556e-08,  -1.1365506279675104e-09,
        5.945283703431481e-11,
    };
    static constexpr std::array erf_large = {
        2.6610855145824808e-08,  -0.12837950703073528,    -0.6366177193684851,
        -0.102780402828928,      0.01914936656046366,     0.00016705792602327447,
        -0.0016300353335016546,  0.0005071426202809941,   5.849419158997524e-05,
        -0.00013461738871085692, 7.743267307016221e-05,   -2.9772751629720536e-05,
        8.72158040177378e-06,    -2.022821178906694e-06,  3.74690351845787e-07,
        -5.50424374944738e-08,   6.286876895202295e-09,   -5.38974377955661e-10,
        3.264193200037783e-11,   -1.2450487771244082e-12, 2.2483972705202847e-14,
    };
};

// xsimd's own bitwise_cast changed its form between versions.
template <typename T>
IntegerBatch<T> bits_of(const Batch<T>& x)
{
    return std::bit_cast<IntegerBatch<T>>(x);
}

template <typename T>
Batch<T> from_bits(const IntegerBatch<T>& bits)
{
    return std::bit_cast<Batch<T>>(bits);
}

template <typename T, std::size_t n>
Batch<T> polynomial(const Batch<T>& x, const std::array<T, n>& coefficients)
{
    Batch<T> result(coefficients[n - 1]);
    for (std::size_t i = n - 1; i-- > 0;) {
        result = xsimd::fma(result, x, Batch<T>(coefficients[i]));
    }
    return result;
}

/// x / y, rounded once. By the compiler's own operator: xsimd's estimates it for floats on ARM.
template <typename T>
Batch<T> quotient(const Batch<T>& x, const Batch<T>& y)
{
    return Batch<T>(x.data / y.data);
}

/// |x|, or the bound if that is less; a nan stays one.
template <typename T>
Batch<T> magnitude_up_to(const Batch<T>& x, T bound)
{
    const Batch<T> magnitude = xsimd::abs(x);
    return xsimd::select(magnitude > Batch<T>(bound), Batch<T>(bound), magnitude);
}

template <typename T>
Batch<T> with_sign_of(const Batch<T>& x, const Batch<T>& magnitude)
{
    return magnitude | (x & Batch<T>(T(-0.0)));
}

/// e^x = 2^k (1 + expm1_of_rest), with the integer k where a floating-point number has its
/// exponent. Nothing of sense for an x whose e^x the type cannot hold.
template <typename T>
struct PowerOfE
{
    Batch<T> expm1_of_rest;
    IntegerBatch<T> k_as_exponent;
};

template <typename T>
PowerOfE<T> power_of_e(const Batch<T>& x)
{
    using C = Constants<T>;
    // Round x / ln 2 by adding a number so large that only the integer k has room beside it,
    // in the last bits.
    const Batch<T> shifted = xsimd::fma(x, Batch<T>(C::log2_e), Batch<T>(C::round_by_adding));
    const Batch<T> k = shifted - Batch<T>(C::round_by_adding);
    // Take k ln 2 from x, in two parts so that the first is exact. (The sign in the constant:
    // xsimd 8.1 makes three instructions of fnma.)
    const Batch<T> almost = xsimd::fma(k, Batch<T>(-C::ln_2_high), x);
    const Batch<T> rest = xsimd::fma(k, Batch<T>(-C::ln_2_low), almost);
    return {xsimd::fma(polynomial(rest, C::expm1), rest * rest, rest), bits_of(shifted)
                                                                           << C::mantissa_bits};
}

template <typename T>
Batch<T> exp_of(const Batch<T>& x)
{
    using C = Constants<T>;
    const PowerOfE<T> power = power_of_e(x);
    const Batch<T> in_range =
        from_bits<T>(bits_of(power.expm1_of_rest + Batch<T>(1)) + power.k_as_exponent);
    // Adding infinity makes one of a large number, and leaves a nan alone.
    const Batch<T> above = x + Batch<T>(std::numeric_limits<T>::infinity());
    const Batch<T> no_zero =
        xsimd::select(x <= Batch<T>(C::exp_overflows_above), in_range, above);
    return xsimd::select(x < Batch<T>(C::exp_is_0_below), Batch<T>(0), no_zero);
}

template <typename T>
Batch<T> log_of(const Batch<T>& x)
{
    if constexpr (std::is_same_v<T, double>) {
        // xsimd's own goes wrong for subnormal doubles: lift them by 2^54 first.
        const auto subnormal = x < Batch<T>(std::numeric_limits<T>::min());
        const Batch<T> lifted = xsimd::select(subnormal, x * Batch<T>(0x1p54), x);
        const Batch<T> lift = xsimd::select(subnormal, Batch<T>(37.4299477502371), Batch<T>(0));
        return xsimd::log(lifted) - lift;
    } else {
        return xsimd::log(x);
    }
}

/// By e^2|x| - 1, which is accurate near 0.
template <typename T>
Batch<T> tanh_of(const Batch<T>& x)
{
    const Batch<T> magnitude = magnitude_up_to(x, Constants<T>::tanh_is_1_from);
    const PowerOfE<T> power = power_of_e<T>(magnitude + magnitude);
    const Batch<T> one(1);
    const Batch<T> two_to_k = from_bits<T>(bits_of(one) + power.k_as_exponent);
    const Batch<T> expm1 = xsimd::fma(two_to_k, power.expm1_of_rest, two_to_k - one);
    return with_sign_of<T>(x, quotient<T>(expm1, expm1 + Batch<T>(2)));
}

template <typename T>
Batch<T> sigmoid_of(const Batch<T>& x)
{
    return quotient<T>(Batch<T>(1), Batch<T>(1) + exp_of<T>(-x));
}

/// Near 0 an odd polynomial, elsewhere 1 - e^polynomial.
template <typename T>
Batch<T> erf_of(const Batch<T>& x)
{
    using C = Constants<T>;
    const Batch<T> magnitude = magnitude_up_to(x, C::erf_is_1_from);
    const Batch<T> square = magnitude * magnitude;
    const Batch<T> small = xsimd::fma(polynomial(square, C::erf_small), magnitude, magnitude);
    const Batch<T> log_of_rest = polynomial(magnitude, C::erf_large) - magnitude;
    const Batch<T> large = Batch<T>(1) - exp_of<T>(log_of_rest);
    return with_sign_of<T>(
        x, xsimd::select(magnitude < Batch<T>(C::erf_is_small_below), small, large));
}

/// y = kernel(x), one batch after the other; n is a multiple of a batch's width. Kept out of
/// line, so that there is one piece of code for a list's inside and for its end.
template <typename T, typename Kernel>
[[gnu::noinline]] void whole_batches(const T* x, T* y, std::size_t n, const Kernel& kernel)
{
    for (std::size_t i = 0; i < n; i += width<T>) {
        kernel(Batch<T>::load_unaligned(x + i)).store_unaligned(y + i);
    }
}

/// y = kernel(x). What is left behind the last whole batch goes through a buffer and the same
/// code, so that an element's place cannot matter.
template <typename T, typename Kernel>
void transform(const char* name, std::span<const T> x, std::span<T> y, const Kernel& kernel)
{
    expect(x.size() == y.size(), "vector_math::{}: y must be as long as x, {}, got {}", name,
           x.size(), y.size());
    const std::size_t n_left = x.size() % width<T>;
    const std::size_t n_whole = x.size() - n_left;
    whole_batches(x.data(), y.data(), n_whole, kernel);
    if (n_left > 0) {
        std::array<T, width<T>> buffer;
        buffer.fill(T(1));
        std::copy_n(x.data() + n_whole, n_left, buffer.data());
        whole_batches(buffer.data(), buffer.data(), width<T>, kernel);
        std::copy_n(buffer.data(), n_left, y.data() + n_whole);
    }
}

/// The elements of x from begin on, as many as a batch holds, with padding behind the end.
template <typename T>
Batch<T> batch_from(std::span<const T> x, std::size_t begin, T padding)
{
    if (x.size() - begin >= width<T>) {
        return Batch<T>::load_unaligned(x.data() + begin);
    }
    std::array<T, width<T>> buffer;
    buffer.fill(padding);
    std::copy(x.begin() + static_cast<std::ptrdiff_t>(begin), x.end(), buffer.begin());
    return Batch<T>::load_unaligned(buffer.data());
}

/// Folds the elements of a batch in halves: always in the same order, which xsimd's own
/// reductions do not promise from one version to the next.
template <typename T, typename Fold>
T folded(const Batch<T>& batch, const Fold& fold)
{
    std::array<T, width<T>> elements;
    batch.store_unaligned(elements.data());
    for (std::size_t half = width<T> / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            elements[i] = fold(elements[i], elements[i + half]);
        }
    }
    return elements[0];
}

/// Folds step(total, begin) over the batches that begin at begin < n, in four totals side by
/// side: one alone would wait for every addition to end.
template <typename T, typename Step, typename Fold>
T reduced(std::size_t n, T start, const Step& step, const Fold& fold)
{
    const Batch<T> first(start);
    std::array<Batch<T>, 4> totals = {first, first, first, first};
    std::size_t begin = 0;
    for (; n - begin >= 4 * width<T>; begin += 4 * width<T>) {
        for (std::size_t j = 0; j < 4; ++j) {
            totals[j] = step(totals[j], begin + j * width<T>);
        }
    }
    for (std::size_t j = 0; begin < n; ++j, begin += width<T>) {
        totals[j] = step(totals[j], begin);
    }
    return folded<T>(fold(fold(totals[0], totals[1]), fold(totals[2], totals[3])), fold);
}

constexpr auto plus = [](const auto& a, const auto& b) { return a + b; };

} // namespace

template <typename T>
void exp(std::span<const T> x, std::span<T> y)
{
    transform("exp", x, y, [](const Batch<T>& batch) { return exp_of<T>(batch); });
}

template <typename T>
void log(std::span<const T> x, std::span<T> y)
{
    transform("log", x, y, [](const Batch<T>& batch) { return log_of<T>(batch); });
}

template <typename T>
void tanh(std::span<const T> x, std::span<T> y)
{
    transform("tanh", x, y, [](const Batch<T>& batch) { return tanh_of<T>(batch); });
}

template <typename T>
void sigmoid(std::span<const T> x, std::span<T> y)
{
    transform("sigmoid", x, y, [](const Batch<T>& batch) { return sigmoid_of<T>(batch); });
}

template <typename T>
void erf(std::span<const T> x, std::span<T> y)
{
    transform("erf", x, y, [](const Batch<T>& batch) { return erf_of<T>(batch); });
}

template <typename T>
T exp_of_difference(std::span<const T> x, T shift, std::span<T> y)
{
    transform("exp_of_difference", x, y,
              [shift](const Batch<T>& batch) { return exp_of<T>(batch - Batch<T>(shift)); });
    // A second pass: over numbers that are near, and four totals at a time beat one.
    return sum<T>(y);
}

template <typename T>
T maximum(std::span<const T> x)
{
    // Keep nans apart: the comparisons drop them. (Not asked for by !=, which is false for two
    // nans in xsimd 8.1 with AVX-512.)
    Batch<T> nans(0);
    const auto larger = [](const auto& a, const auto& b) {
        if constexpr (std::is_same_v<std::decay_t<decltype(a)>, T>) {
            return a > b ? a : b;
        } else {
            return xsimd::select(a > b, a, b);
        }
    };
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    const T largest = reduced(
        x.size(), lowest,
        [&](const Batch<T>& total, std::size_t begin) {
            const Batch<T> batch = batch_from(x, begin, lowest);
            nans = xsimd::select(batch == batch, nans, batch);
            return larger(batch, total);
        },
        larger);
    const T any_nan = folded<T>(nans, plus);
    return std::isnan(any_nan) ? any_nan : largest;
}

template <typename T>
T sum(std::span<const T> x)
{
    return reduced(
        x.size(), T(0),
        [x](const Batch<T>& total, std::size_t begin) {
            return total + batch_from(x, begin, T(0));
        },
        plus);
}

template <typename T>
T dot(std::span<const T> x, std::span<const T> y)
{
    expect(x.size() == y.size(), "vector_math::dot: y must be as long as x, {}, got {}",
           x.size(), y.size());
    return reduced(
        x.size(), T(0),
        [x, y](const Batch<T>& total, std::size_t begin) {
            return xsimd::fma(batch_from(x, begin, T(0)), batch_from(y, begin, T(0)), total);
        },
        plus);
}

template void exp(std::span<const float>, std::span<float>);
template void exp(std::span<const double>, std::span<double>);
template void log(std::span<const float>, std::span<float>);
template void log(std::span<const double>, std::span<double>);
template void tanh(std::span<const float>, std::span<float>);
template void tanh(std::span<const double>, std::span<double>);
template void sigmoid(std::span<const float>, std::span<float>);
template void sigmoid(std::span<const double>, std::span<double>);
template void erf(std::span<const float>, std::span<float>);
template void erf(std::span<const double>, std::span<double>);
template float exp_of_difference(std::span<const float>, float, std::span<float>);
template double exp_of_difference(std::span<const double>, double, std::span<double>);
template float maximum(std::span<const float>);
template double maximum(std::span<const double>);
template float sum(std::span<const float>);
template double sum(std::span<const double>);
template float dot(std::span<const float>, std::span<const float>);
template double dot(std::span<const double>, std::span<const double>);

} // namespace attn::vector_math
