/// \file
/// \brief The walk along a row: vectors first, in fours, then what is left one number at a time.
/// Written once, so that a loop is its body alone.
namespace {

/// Says to the body of a loop what it is to load: vectors V, or single numbers.
template <class V>
struct As
{
};

/// f(As<V>, i, j) for the place i of each vector, and f(As<OneLane>, i, 0) for what no vector
/// covers. Vectors come in fours, j = 0 to 3, so that sums in four parts do not wait for each
/// other.
template <class V, class Body>
[[gnu::always_inline]] inline void along_row(std::size_t n, Body f)
{
    constexpr std::size_t lanes = Lanes<V>::size;
    std::size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
#pragma GCC unroll 4
        for (std::size_t j = 0; j < 4; ++j) {
            f(As<V>(), i + j * lanes, j);
        }
    }
    for (; i + lanes <= n; i += lanes) {
        f(As<V>(), i, std::size_t(0));
    }
    for (; i < n; ++i) {
        f(As<OneLane>(), i, std::size_t(0));
    }
}

/// A sum along a row, in the parts that along_row offers.
template <class V>
struct Total
{
    V vectors[4] = {Lanes<V>::splat(0.0F), Lanes<V>::splat(0.0F), Lanes<V>::splat(0.0F),
                    Lanes<V>::splat(0.0F)};
    float rest = 0.0F;

    template <class W>
    [[gnu::always_inline]] void add(std::size_t j, W x)
    {
        if constexpr (Lanes<W>::size == Lanes<V>::size) {
            vectors[j] = vectors[j] + x;
        } else {
            rest += x.value;
        }
    }

    [[gnu::always_inline]] float value() const
    {
        return Lanes<V>::sum((vectors[0] + vectors[1]) + (vectors[2] + vectors[3])) + rest;
    }
};

/// The largest number along a row, in the same parts. A nan may get lost: the powers that come
/// next find it again.
template <class V>
struct Largest
{
    V vectors[4] = {Lanes<V>::splat(-__builtin_inff()), Lanes<V>::splat(-__builtin_inff()),
                    Lanes<V>::splat(-__builtin_inff()), Lanes<V>::splat(-__builtin_inff())};
    float rest = -__builtin_inff();

    template <class W>
    [[gnu::always_inline]] void add(std::size_t j, W x)
    {
        if constexpr (Lanes<W>::size == Lanes<V>::size) {
            vectors[j] = Lanes<V>::max(vectors[j], x);
        } else {
            rest = x.value > rest ? x.value : rest;
        }
    }

    [[gnu::always_inline]] float value() const
    {
        using Lane = Lanes<V>;
        float lanes[Lane::size];
        Lane::store(lanes, Lane::max(Lane::max(vectors[0], vectors[1]),
                                     Lane::max(vectors[2], vectors[3])));
        // In four chains, for the next row waits for it.
        float largest[4] = {rest, rest, rest, rest};
        for (std::size_t lane = 0; lane < Lane::size; ++lane) {
            float& so_far = largest[lane % 4];
            so_far = lanes[lane] > so_far ? lanes[lane] : so_far;
        }
        const float a = largest[0] > largest[1] ? largest[0] : largest[1];
        const float b = largest[2] > largest[3] ? largest[2] : largest[3];
        return a > b ? a : b;
    }
};

} // namespace
