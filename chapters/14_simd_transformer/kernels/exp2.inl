/// \file
/// \brief Powers of two on vectors, for the exponents that softmax has: none above zero. Fewer steps
/// than the book's exponential takes, which has to serve every number.
namespace {

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

} // namespace
