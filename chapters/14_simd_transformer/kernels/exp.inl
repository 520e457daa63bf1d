/// \file
/// \brief Powers on vectors, for the exponents that softmax has: none above zero.
/// Deliberately without xsimd's own exp, which differs below -87 between its versions.
namespace {

/// 1.5 * 2^23 + 127. Added to a float of moderate size it leaves no room for digits behind the
/// point: the sum's lowest bits are the nearest integer, plus the bias of a float's exponent.
constexpr float round_and_bias = 12582912.0F + 127.0F;

/// p(x), highest coefficient first.
template <class V, std::size_t n>
inline V polynomial(V x, const float (&coefficients)[n])
{
    V result = Lanes<V>::splat(coefficients[0]);
    for (std::size_t i = 1; i < n; ++i) {
        result = Lanes<V>::fma(result, x, Lanes<V>::splat(coefficients[i]));
    }
    return result;
}

/// 2^x for x <= 0, within 2 units in the last place down to -126; at most the smallest normal
/// number below that, and 0 below -126.5. Of a nan, nan.
template <class V>
inline V exp2_of_nonpositive(V x)
{
    // 2^f on [-1/2, 1/2], relative error 2^-28.5, with p(0) = 1.
    constexpr float coefficients[] = {1.5594676e-4F, 1.3406643e-3F, 9.6176928e-3F,
                                      5.5503104e-2F, 2.4022652e-1F, 6.9314724e-1F,
                                      1.0F};
    const V magic = Lanes<V>::splat(round_and_bias);
    // 2^-127 has the bits of zero.
    const V bounded = Lanes<V>::max(Lanes<V>::splat(-127.0F), x);
    const V shifted = bounded + magic;
    const V whole = shifted - magic;
    return polynomial(bounded - whole, coefficients) * Lanes<V>::low_bits_as_exponent(shifted);
}

// [vector_exp]
/// e^x for x <= 0, within 2 units in the last place down to -87.3, 0 below
/// -126.5 ln 2, which is -87.68. Of a nan, nan.
template <class V>
inline V exp_of_nonpositive(V x)
{
    // (e^r - 1 - r) / r^2 on [-ln 2 / 2, ln 2 / 2].
    constexpr float coefficients[] = {1.3814613e-3F, 8.36871e-3F, 4.166839e-2F, 1.6666521e-1F,
                                      4.9999994e-1F};
    const V magic = Lanes<V>::splat(round_and_bias);
    const V bounded = Lanes<V>::max(Lanes<V>::splat(-88.02F), x); // 127 ln 2 = 88.03
    const V shifted = Lanes<V>::fma(bounded, Lanes<V>::splat(1.442695041F), magic);
    const V whole = shifted - magic;
    // ln 2 in two parts, the first with so few digits that its multiples are exact.
    V r = Lanes<V>::fma(whole, Lanes<V>::splat(-0.693359375F), bounded);
    r = Lanes<V>::fma(whole, Lanes<V>::splat(2.12194440e-4F), r);
    const V power =
        Lanes<V>::fma(polynomial(r, coefficients), r * r, r) + Lanes<V>::splat(1.0F);
    return power * Lanes<V>::low_bits_as_exponent(shifted);
}
// [vector_exp]

} // namespace
