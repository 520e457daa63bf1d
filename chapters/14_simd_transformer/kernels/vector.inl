/// \file
/// \brief Vectors of as many floats as a register holds, under one set of names for every
/// instruction set: what the kernel bodies of this folder are written in. A file for one
/// instruction set includes it once; nothing here is visible outside that file. Deliberately
/// without gathers, shuffles and masks: the kernels lay their data out so that none is needed.
#include <xsimd/xsimd.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

/// Registers for vectors.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr std::size_t n_registers = 32;
#else
constexpr std::size_t n_registers = 16;
#endif

/// One float as a vector of one lane: the scalar set, and what every tail can use.
struct OneLane
{
    static constexpr std::size_t size = 1;
    float value;
};

inline OneLane operator+(OneLane a, OneLane b)
{
    return {a.value + b.value};
}
inline OneLane operator-(OneLane a, OneLane b)
{
    return {a.value - b.value};
}
inline OneLane operator*(OneLane a, OneLane b)
{
    return {a.value * b.value};
}

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

/// What a vector type needs beside its operators.
template <class V>
struct Lanes
{
    using Integers = xsimd::batch<std::int32_t, typename V::arch_type>;
    static constexpr std::size_t size = V::size;

    static V load(const float* from) { return V::load_unaligned(from); }
    static void store(float* to, V x) { x.store_unaligned(to); }
    static V splat(float x) { return V(x); }
    /// a b + c, rounded once where the set can.
    static V fma(V a, V b, V c) { return xsimd::fma(a, b, c); }
    /// The larger one; of a nan in b, the nan.
    static V max(V a, V b) { return xsimd::max(a, b); }
    /// a / b, rounded once. By the compiler's own operator: xsimd's estimates it on ARM.
    static V quotient(V a, V b) { return V(a.data / b.data); }
    /// The sum of the lanes.
    static float sum(V x)
    {
#if XSIMD_VERSION_MAJOR >= 10
        return xsimd::reduce_add(x);
#else
        return xsimd::hadd(x);
#endif
    }
    /// Stores around the cache.
    static void stream(float* to, V x)
    {
        stream_register(to, x.data);
    }
    /// Where a < b, x, else y.
    static V where_less(V a, V b, V x, V y)
    {
        return xsimd::select(a < b, x, y);
    }
    /// The bits of x as integers, moved into the place of a float's exponent.
    static V low_bits_as_exponent(V x)
    {
#if XSIMD_VERSION_MAJOR >= 10
        return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(x) << 23);
#else
        return xsimd::bitwise_cast<V>(xsimd::bitwise_cast<Integers>(x) << 23);
#endif
    }
};

template <>
struct Lanes<OneLane>
{
    static constexpr std::size_t size = 1;

    static OneLane load(const float* from) { return {*from}; }
    static void store(float* to, OneLane x) { *to = x.value; }
    static OneLane splat(float x) { return {x}; }
    static OneLane fma(OneLane a, OneLane b, OneLane c)
    {
        return {a.value * b.value + c.value};
    }
    static OneLane max(OneLane a, OneLane b) { return {a.value > b.value ? a.value : b.value}; }
    static float sum(OneLane x) { return x.value; }
    static void stream(float* to, OneLane x) { *to = x.value; }
    static OneLane quotient(OneLane a, OneLane b) { return {a.value / b.value}; }
    static OneLane where_less(OneLane a, OneLane b, OneLane x, OneLane y)
    {
        return a.value < b.value ? x : y;
    }
    static OneLane low_bits_as_exponent(OneLane x)
    {
        std::uint32_t bits;
        std::memcpy(&bits, &x.value, sizeof bits);
        bits <<= 23;
        std::memcpy(&x.value, &bits, sizeof bits);
        return x;
    }
};

} // namespace
