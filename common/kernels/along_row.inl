/// \file
/// \brief The walk along a row, and what a row adds up to. Written once, so that a loop is its body
/// alone. A row's sum has 16 parts (8 in double), whatever the width of a register: entry i goes to
/// part i mod 16, and parts are folded, i with i + 8, then + 4, + 2, + 1. So a sum's bits depend on
/// the row and on nothing else.
namespace {

/// The parts of a row's sum.
template <class T>
constexpr std::size_t n_parts = 64 / sizeof(T);

/// Vectors that hold the parts of a row's sum.
template <class V>
constexpr std::size_t part_vectors = n_parts<NumberOf<V>> / Lanes<V>::size;

/// Says to the body of a loop what it is to load: vectors V, or single numbers.
template <class V>
struct As
{
};

/// A body must not become a function of its own: its sums would leave the registers.
#define ATTN_BODY __attribute__((always_inline))

/// f(As<V>, i, j) for the entry i that each vector begins with, and f(As<OneLane>, i, j) for what no
/// vector covers: j counts the vectors, or the numbers, of n_parts entries from 0 on, so that a
/// sum knows its part.
template <class V, class Body>
[[gnu::always_inline]] inline void along_row(std::size_t n, Body f)
{
    using T = NumberOf<V>;
    constexpr std::size_t lanes = Lanes<V>::size;
    std::size_t i = 0;
    for (; i + n_parts<T> <= n; i += n_parts<T>) {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < part_vectors<V>; ++j) {
            f(As<V>(), i + j * lanes, j);
        }
    }
    const std::size_t rest = i;
    if constexpr (lanes > 1 && part_vectors<V> > 1) {
        for (; i + lanes <= n; i += lanes) {
            f(As<V>(), i, (i - rest) / lanes);
        }
    }
    for (; i < n; ++i) {
        f(As<OneLane<T>>(), i, i - rest);
    }
}

/// Numbers of 16 bytes side by side, as every processor of today has them.
template <class T>
struct FourOrTwo
{
    typedef T Type __attribute__((vector_size(16)));
};

inline float fold_register(FourOrTwo<float>::Type x)
{
    return (x[0] + x[2]) + (x[1] + x[3]);
}
inline double fold_register(FourOrTwo<double>::Type x)
{
    return x[0] + x[1];
}

/// The sum of n_parts parts, folded.
template <class T>
[[gnu::always_inline]] inline T fold_parts(const T* parts)
{
    typename FourOrTwo<T>::Type x[4];
    __builtin_memcpy(x, parts, sizeof x);
    return fold_register((x[0] + x[2]) + (x[1] + x[3]));
}

/// The parts of what a row adds up to.
template <class V>
struct Parts
{
    using T = NumberOf<V>;
    V part[part_vectors<V>];
    T left[n_parts<T>]; ///< what no vector covers, each in its part

    [[gnu::always_inline]] explicit Parts(T start)
    {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < part_vectors<V>; ++j) {
            part[j] = Lanes<V>::splat(start);
        }
    }

    [[gnu::always_inline]] void store(T* all) const
    {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < part_vectors<V>; ++j) {
            Lanes<V>::store(all + j * Lanes<V>::size, part[j]);
        }
    }
};

/// A sum along a row: of numbers, or of products, each added by a fused step.
template <class V>
struct Total
{
    using T = NumberOf<V>;
    Parts<V> parts{T(0)};
    T factor[n_parts<T>]; ///< of what no vector covers
    std::size_t first_left = 0;
    std::size_t end_left = 0;

    [[gnu::always_inline]] void add(std::size_t j, V x) { parts.part[j] = parts.part[j] + x; }
    [[gnu::always_inline]] void add_product(std::size_t j, V x, V y)
    {
        parts.part[j] = Lanes<V>::fma(x, y, parts.part[j]);
    }
    [[gnu::always_inline]] void add(std::size_t j, OneLane<T> x)
        requires(Lanes<V>::size > 1)
    {
        add_product(j, x, OneLane<T>{T(1)});
    }
    [[gnu::always_inline]] void add_product(std::size_t j, OneLane<T> x, OneLane<T> y)
        requires(Lanes<V>::size > 1)
    {
        first_left = end_left == 0 ? j : first_left;
        end_left = j + 1;
        parts.left[j] = x.value;
        factor[j] = y.value;
    }

    [[gnu::always_inline]] T value() const
    {
        alignas(64) T all[n_parts<T>];
        parts.store(all);
        for (std::size_t i = first_left; i < end_left; ++i) {
            all[i] = fused(parts.left[i], factor[i], all[i]); // times 1 is a sum, rounded once
        }
        return fold_parts(all);
    }
};

/// The largest number along a row, in the same parts. Which zero it is, of two of other signs,
/// depends on their places alone; a nan may get lost: the exponentials that come next find it again.
template <class V>
struct Largest
{
    using T = NumberOf<V>;
    Parts<V> parts{minus_infinity<T>};
    std::size_t first_left = 0;
    std::size_t end_left = 0;

    [[gnu::always_inline]] void add(std::size_t j, V x)
    {
        parts.part[j] = Lanes<V>::max(x, parts.part[j]);
    }
    [[gnu::always_inline]] void add(std::size_t j, OneLane<T> x)
        requires(Lanes<V>::size > 1)
    {
        first_left = end_left == 0 ? j : first_left;
        end_left = j + 1;
        parts.left[j] = x.value;
    }

    [[gnu::always_inline]] T value() const
    {
        alignas(64) T all[n_parts<T>];
        parts.store(all);
        for (std::size_t i = first_left; i < end_left; ++i) {
            all[i] = parts.left[i] > all[i] ? parts.left[i] : all[i];
        }
        for (std::size_t half = n_parts<T> / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) {
                all[i] = all[i] > all[i + half] ? all[i] : all[i + half];
            }
        }
        return all[0];
    }
};

} // namespace
