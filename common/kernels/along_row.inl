/// \file
/// \brief The walk along a row, and what a row adds up to. Written once, so that a loop is its body
/// alone. A row's sum has 16 parts (8 in double), whatever the width of a register: entry i goes to
/// part i mod 16, and parts are folded, i with i + 8, then + 4, + 2, + 1. So a sum's bits depend on
/// the row and on nothing else.
#pragma once

#include "common/kernels/row_kernels.hpp"
#include "common/kernels/vector.inl"

namespace {

/// The parts of a row's sum.
template <class T>
constexpr std::size_t n_parts = 64 / sizeof(T);

/// Vectors that hold the parts of a row's sum.
template <class V>
constexpr std::size_t part_vectors = n_parts<NumberOf<V>> / Lanes<V>::size;

/// A body must not become a function of its own: its sums would leave the registers.
#define ATTN_BODY __attribute__((always_inline))

/// A whole vector of a row, from entry i on.
template <class V>
struct Whole
{
    using T = NumberOf<V>;
    std::size_t i;

    [[gnu::always_inline]] V load(const T* x, T = T(0)) const { return Lanes<V>::load(x + i); }
    [[gnu::always_inline]] void store(T* y, V value) const { Lanes<V>::store(y + i, value); }
    [[gnu::always_inline]] V only(V value) const { return value; }
};

/// The end of a row, n entries from entry i on, fewer than a vector has.
template <class V>
struct End
{
    using T = NumberOf<V>;
    std::size_t i;
    std::size_t n;

    /// What stands in the lanes after the row's end.
    [[gnu::always_inline]] V load(const T* x, T pad = T(0)) const
    {
        return Lanes<V>::load_first(n, x + i, pad);
    }
    /// The lanes after the row's end are not stored.
    [[gnu::always_inline]] void store(T* y, V value) const
    {
        Lanes<V>::store_first(n, y + i, value);
    }
    /// A value with +0 in the lanes after the row's end: what may enter a sum.
    [[gnu::always_inline]] V only(V value) const
    {
        alignas(64) T lanes[Lanes<V>::size];
        Lanes<V>::store(lanes, value);
        return Lanes<V>::load_first(n, lanes, T(0));
    }
};

/// f(Whole, j) for each vector of the row and f(End, j) for what is left: vector j of n_parts
/// entries, from 0 on, so that a sum knows its part.
template <class V, class Body>
[[gnu::always_inline]] inline void along_row(std::size_t n, Body f)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    constexpr std::size_t group = n_parts<NumberOf<V>>;
    std::size_t i = 0;
    for (; i + group <= n; i += group) {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < part_vectors<V>; ++j) {
            f(Whole<V>{i + j * lanes}, j);
        }
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < part_vectors<V>; ++j, i += lanes) {
        if (i + lanes <= n) {
            f(Whole<V>{i}, j);
        } else {
            if (i < n) {
                if constexpr (lanes > 1) {
                    f(End<V>{i, n - i}, j);
                }
            }
            return;
        }
    }
}

/// 16 bytes of numbers, as every processor of today has them side by side.
template <class T>
struct Register
{
    typedef T Type __attribute__((vector_size(16)));
};

inline float fold_register(Register<float>::Type x)
{
    return (x[0] + x[2]) + (x[1] + x[3]);
}
inline double fold_register(Register<double>::Type x)
{
    return x[0] + x[1];
}

/// A sum along a row: of numbers, or of products, each added by a fused step.
template <class V>
struct Total
{
    using T = NumberOf<V>;
    V part[part_vectors<V>];

    [[gnu::always_inline]] Total()
    {
#pragma GCC unroll 16
        for (V& lanes : part) {
            lanes = Lanes<V>::splat(T(0));
        }
    }

    [[gnu::always_inline]] void add(std::size_t j, V x)
    {
        part[j] = part[j] + x;
    }
    [[gnu::always_inline]] void add_product(std::size_t j, V x, V y)
    {
        part[j] = Lanes<V>::fma(x, y, part[j]);
    }

    [[gnu::always_inline]] T value() const
    {
        typename Register<T>::Type x[4];
        static_assert(sizeof x == sizeof part);
        __builtin_memcpy(x, part, sizeof x);
        return fold_register((x[0] + x[2]) + (x[1] + x[3]));
    }
};

/// The largest number along a row, in the same parts. Which zero it is, of two of other signs,
/// depends on their places alone; a nan may get lost: the exponentials that come next find it again.
template <class V>
struct Largest
{
    using T = NumberOf<V>;
    V part[part_vectors<V>];

    [[gnu::always_inline]] Largest()
    {
#pragma GCC unroll 16
        for (V& lanes : part) {
            lanes = Lanes<V>::splat(minus_infinity<T>);
        }
    }

    [[gnu::always_inline]] void add(std::size_t j, V x)
    {
        part[j] = Lanes<V>::max(x, part[j]);
    }

    [[gnu::always_inline]] T value() const
    {
        typename Register<T>::Type x[4];
        static_assert(sizeof x == sizeof part);
        __builtin_memcpy(x, part, sizeof x);
        x[0] = x[0] > x[2] ? x[0] : x[2];
        x[1] = x[1] > x[3] ? x[1] : x[3];
        x[0] = x[0] > x[1] ? x[0] : x[1];
        T largest = x[0][0];
        for (std::size_t i = 1; i < 16 / sizeof(T); ++i) {
            largest = x[0][i] > largest ? x[0][i] : largest;
        }
        return largest;
    }
};

using attn::kernels::ReductionKernels;

template <class V>
NumberOf<V> sum_of(std::size_t n, const NumberOf<V>* x)
{
    Total<V> total;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY { total.add(j, at.load(x)); });
    return total.value();
}

template <class V>
NumberOf<V> dot_of(std::size_t n, const NumberOf<V>* x, const NumberOf<V>* y)
{
    Total<V> total;
    along_row<V>(n, [&](auto at, std::size_t j)
                        ATTN_BODY { total.add_product(j, at.load(x), at.load(y)); });
    return total.value();
}

template <class V>
NumberOf<V> largest_of(std::size_t n, const NumberOf<V>* x)
{
    Largest<V> largest;
    along_row<V>(n, [&](auto at, std::size_t j)
                        ATTN_BODY { largest.add(j, at.load(x, minus_infinity<NumberOf<V>>)); });
    return largest.value();
}

template <class V>
constexpr ReductionKernels<NumberOf<V>> reduction_kernels()
{
    return {.sum = sum_of<V>, .dot = dot_of<V>, .largest = largest_of<V>};
}

} // namespace
