/// \file
/// \brief Vectors of as many numbers as a register holds, float or double, under one set of
/// names for every instruction set: what the kernel bodies are written in. A file for one
/// instruction set includes it once; nothing here is visible outside that file. Without
/// gathers, shuffles and masks (the kernels lay their data out so that none is needed), and
/// without what xsimd computes otherwise from one set or version to the next: its quotients,
/// roots, reductions and elementary functions.
#pragma once

#include <xsimd/xsimd.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__AVX2__) && !defined(__FMA__)
#error "kernels for AVX2 are compiled with fused multiplication and addition"
#endif

namespace {

/// Registers for vectors.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr std::size_t n_registers = 32;
#else
constexpr std::size_t n_registers = 16;
#endif

/// The integer of a number's size.
template <std::size_t bytes>
struct IntegerOf;
template <>
struct IntegerOf<4>
{
    using Type = std::int32_t;
};
template <>
struct IntegerOf<8>
{
    using Type = std::int64_t;
};

/// a b + c, rounded once: the processor's instruction where this file is compiled for one, a
/// function of the standard library otherwise.
inline float fused(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
inline double fused(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

// The same of registers. xsimd's own is fused on AVX2 alone: its version 8.1 multiplies and
// adds with AVX-512 and for floats on ARM.
#if defined(__AVX512F__)
inline __m512 fused(__m512 a, __m512 b, __m512 c)
{
    return _mm512_fmadd_ps(a, b, c);
}
inline __m512d fused(__m512d a, __m512d b, __m512d c)
{
    return _mm512_fmadd_pd(a, b, c);
}
#endif
#if defined(__FMA__)
inline __m256 fused(__m256 a, __m256 b, __m256 c)
{
    return _mm256_fmadd_ps(a, b, c);
}
inline __m256d fused(__m256d a, __m256d b, __m256d c)
{
    return _mm256_fmadd_pd(a, b, c);
}
#elif defined(__aarch64__)
inline float32x4_t fused(float32x4_t a, float32x4_t b, float32x4_t c)
{
    return vfmaq_f32(c, a, b);
}
inline float64x2_t fused(float64x2_t a, float64x2_t b, float64x2_t c)
{
    return vfmaq_f64(c, a, b);
}
#elif defined(__SSE2__)
// Without such an instruction: rounded twice.
inline __m128 fused(__m128 a, __m128 b, __m128 c)
{
    return a * b + c;
}
inline __m128d fused(__m128d a, __m128d b, __m128d c)
{
    return a * b + c;
}
#endif

inline float square_root(float x)
{
    return __builtin_sqrtf(x);
}
inline double square_root(double x)
{
    return __builtin_sqrt(x);
}

/// One number as a vector of one lane: the scalar set, and what every tail can use.
template <class T>
struct OneLane
{
    T value;
};

template <class T>
inline OneLane<T> operator+(OneLane<T> a, OneLane<T> b)
{
    return {a.value + b.value};
}
template <class T>
inline OneLane<T> operator-(OneLane<T> a, OneLane<T> b)
{
    return {a.value - b.value};
}
template <class T>
inline OneLane<T> operator*(OneLane<T> a, OneLane<T> b)
{
    return {a.value * b.value};
}

/// What a vector type needs beside +, - and *.
template <class V>
struct Lanes
{
    using Number = typename V::value_type;
    using Integer = typename IntegerOf<sizeof(Number)>::Type;
    using Integers = xsimd::batch<Integer, typename V::arch_type>;
    static constexpr std::size_t size = V::size;

    static V load(const Number* from) { return V::load_unaligned(from); }
    static void store(Number* to, V x) { x.store_unaligned(to); }
    static V splat(Number x) { return V(x); }
    /// a b + c, rounded once where the set can.
    static V fma(V a, V b, V c) { return V(fused(a.data, b.data, c.data)); }
    /// a > b ? a : b, which of a nan in either is b.
    static V max(V a, V b) { return xsimd::select(a > b, a, b); }
    /// a / b, rounded once. By the compiler's own operator: xsimd's estimates it on ARM.
    static V quotient(V a, V b) { return V(a.data / b.data); }
    /// Where a < b, x, else y.
    static V where_less(V a, V b, V x, V y) { return xsimd::select(a < b, x, y); }
    /// Where a <= b, x, else y.
    static V where_not_above(V a, V b, V x, V y) { return xsimd::select(a <= b, x, y); }
    /// Where a = b, x, else y.
    static V where_equal(V a, V b, V x, V y) { return xsimd::select(a == b, x, y); }

    /// The first n numbers, fewer than the lanes; a pad in the other lanes.
    static V load_first(std::size_t n, const Number* from, Number pad)
    {
        alignas(64) Number lanes[size];
        store(lanes, splat(pad));
        for (std::size_t i = 0; i < n; ++i) {
            lanes[i] = from[i];
        }
        return load(lanes);
    }
    /// Stores the first n lanes, fewer than all.
    static void store_first(std::size_t n, Number* to, V x)
    {
        alignas(64) Number lanes[size];
        store(lanes, x);
        for (std::size_t i = 0; i < n; ++i) {
            to[i] = lanes[i];
        }
    }

    static Integers bits(V x) { return __builtin_bit_cast(Integers, x); }
    static V from_bits(Integers x) { return __builtin_bit_cast(V, x); }
    /// Integers in all lanes.
    static Integers splat_bits(Integer x) { return Integers(x); }
    /// The bits moved up by n places; zeros come in.
    template <int n>
    static Integers moved_up(Integers x)
    {
        return x << n;
    }
    /// The bits moved down by n places; the sign comes in.
    template <int n>
    static Integers moved_down(Integers x)
    {
        return x >> n;
    }
};

template <class T>
struct Lanes<OneLane<T>>
{
    using V = OneLane<T>;
    using Number = T;
    using Integer = typename IntegerOf<sizeof(T)>::Type;
    /// One integer; sums wrap around, as a vector's do.
    struct Integers
    {
        Integer value;

        using Unsigned = std::make_unsigned_t<Integer>;
        friend Integers operator+(Integers a, Integers b)
        {
            return {static_cast<Integer>(static_cast<Unsigned>(a.value) +
                                         static_cast<Unsigned>(b.value))};
        }
        friend Integers operator-(Integers a, Integers b)
        {
            return {static_cast<Integer>(static_cast<Unsigned>(a.value) -
                                         static_cast<Unsigned>(b.value))};
        }
        friend Integers operator&(Integers a, Integers b) { return {a.value & b.value}; }
        friend Integers operator|(Integers a, Integers b) { return {a.value | b.value}; }
    };
    static constexpr std::size_t size = 1;

    static V load(const T* from) { return {*from}; }
    static void store(T* to, V x) { *to = x.value; }
    static V splat(T x) { return {x}; }
    static V fma(V a, V b, V c) { return {fused(a.value, b.value, c.value)}; }
    static V max(V a, V b) { return {a.value > b.value ? a.value : b.value}; }
    static V quotient(V a, V b) { return {a.value / b.value}; }
    static V where_less(V a, V b, V x, V y) { return a.value < b.value ? x : y; }
    static V where_not_above(V a, V b, V x, V y) { return a.value <= b.value ? x : y; }
    static V where_equal(V a, V b, V x, V y) { return a.value == b.value ? x : y; }

    static Integers bits(V x) { return {__builtin_bit_cast(Integer, x.value)}; }
    static V from_bits(Integers x) { return {__builtin_bit_cast(T, x.value)}; }
    static Integers splat_bits(Integer x) { return {x}; }
    template <int n>
    static Integers moved_up(Integers x)
    {
        return {static_cast<Integer>(static_cast<typename Integers::Unsigned>(x.value) << n)};
    }
    template <int n>
    static Integers moved_down(Integers x)
    {
        return {static_cast<Integer>(x.value >> n)};
    }
};

/// The number type of a vector.
template <class V>
using NumberOf = typename Lanes<V>::Number;

/// The smallest number: what a maximum begins with.
template <class T>
constexpr T minus_infinity = -static_cast<T>(__builtin_inff());

} // namespace
