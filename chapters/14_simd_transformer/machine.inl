/// \file
/// \brief Loops that do nothing but keep one part of the processor busy: what the other kernels are
/// measured against.
namespace {

// Stores around the cache, which xsimd does not have.
#if defined(__x86_64__)
inline void stream_register(float* to, __m128 x)
{
    _mm_stream_ps(to, x);
}
#if defined(__AVX__)
inline void stream_register(float* to, __m256 x)
{
    _mm256_stream_ps(to, x);
}
#endif
#if defined(__AVX512F__)
inline void stream_register(float* to, __m512 x)
{
    _mm512_stream_ps(to, x);
}
#endif
inline void stores_are_seen()
{
    _mm_sfence();
}
#else
template <class Register>
inline void stream_register(float* to, Register x)
{
    std::memcpy(to, &x, sizeof x);
}
inline void stores_are_seen() {}
#endif

template <class V>
inline void stream_vector(float* to, V x)
{
    stream_register(to, x.data);
}
inline void stream_vector(float* to, OneLane<float> x)
{
    *to = x.value;
}

template <class V>
double multiply_add(std::size_t rounds, float* sink)
{
    // Units times latency is the number of sums in flight: 12 cover two units of five cycles, 16
    // four units of four. Beside them one factor must stay in a register.
    constexpr std::size_t chains = n_registers == 32 ? 16 : 12;
    V sum[chains];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < chains; ++i) {
        sum[i] = Lanes<V>::splat(static_cast<float>(i + 1));
    }
    // [peak]
    // s + s * -2 is -s: no sum grows or fades. What a compiler knew beforehand it would leave out.
    const volatile float minus_two = -2.0F;
    const V factor = Lanes<V>::splat(minus_two);
    for (std::size_t round = 0; round < rounds; ++round) {
        // A sum is factor and addend: ARM's instruction overwrites the addend.
#pragma GCC unroll 16
        for (std::size_t i = 0; i < chains; ++i) {
            sum[i] = Lanes<V>::fma(sum[i], factor, sum[i]);
        }
    }
    // [peak]
    V all = sum[0];
#pragma GCC unroll 16
    for (std::size_t i = 1; i < chains; ++i) {
        all = all + sum[i];
    }
    float lanes[Lanes<V>::size];
    Lanes<V>::store(lanes, all);
    *sink = lanes[0];
    return 2.0 * static_cast<double>(rounds * chains * Lanes<V>::size);
}

template <class V>
void copy(const float* from, float* to, std::size_t n)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    std::size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < 4; ++j) {
            Lanes<V>::store(to + i + j * lanes, Lanes<V>::load(from + i + j * lanes));
        }
    }
    for (; i < n; ++i) {
        to[i] = from[i];
    }
}

template <class V>
void stream(const float* from, float* to, std::size_t n)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        stream_vector(to + i, Lanes<V>::load(from + i));
    }
    for (; i < n; ++i) {
        to[i] = from[i];
    }
    stores_are_seen();
}

} // namespace
