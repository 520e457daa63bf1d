#include "common/nn/initialise.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace attn::nn::initialise {

namespace {

/// An array of numbers drawn one after the other.
template <typename T, typename Draw>
Array<T> drawn(const Shape& shape, Draw draw)
{
    Array<T> array = uninitialised<T>(shape);
    for (T& number : numbers_of(array)) {
        number = static_cast<T>(draw());
    }
    return array;
}

/// Uniform between plus and minus a bound, which may be 0.
template <typename T>
Array<T> within(const Shape& shape, double bound, random::Generator& generator)
{
    return uniform<T>(shape, -bound, bound, generator);
}

} // namespace

template <typename T>
Array<T> zeros(const Shape& shape)
{
    return filled(shape, T(0));
}

template <typename T>
Array<T> ones(const Shape& shape)
{
    return filled(shape, T(1));
}

template <typename T>
Array<T> uniform(const Shape& shape, double low, double high, random::Generator& generator)
{
    return drawn<T>(shape, [&] { return generator.uniform(low, high); });
}

template <typename T>
Array<T> normal(const Shape& shape, double mean, double standard_deviation,
                random::Generator& generator)
{
    return drawn<T>(shape, [&] { return generator.normal(mean, standard_deviation); });
}

template <typename T>
Array<T> xavier_uniform(const Shape& shape, random::Generator& generator, double gain)
{
    expect(shape.size() == 2 && shape[0] > 0 && shape[1] > 0,
           "xavier_uniform: the shape must be that of a matrix [n_in, n_out], got {}", shape);
    const double n = static_cast<double>(shape[0] + shape[1]);
    return within<T>(shape, std::sqrt(3.0) * (gain * std::sqrt(2.0 / n)), generator);
}

template <typename T>
Array<T> pytorch_linear(const Shape& shape, std::size_t n_in, random::Generator& generator)
{
    expect(n_in > 0, "pytorch_linear: there must be an input, for a shape of {}", shape);
    return within<T>(shape, 1.0 / std::sqrt(static_cast<double>(n_in)), generator);
}

template <typename T>
Array<T> pytorch_recurrent(const Shape& shape, std::size_t hidden, random::Generator& generator)
{
    expect(hidden > 0, "pytorch_recurrent: hidden must be above 0, for a shape of {}", shape);
    return within<T>(shape, 1.0 / std::sqrt(static_cast<double>(hidden)), generator);
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Array<T> zeros(const Shape&);                                                     \
    template Array<T> ones(const Shape&);                                                      \
    template Array<T> uniform(const Shape&, double, double, random::Generator&);               \
    template Array<T> normal(const Shape&, double, double, random::Generator&);                \
    template Array<T> xavier_uniform(const Shape&, random::Generator&, double);                \
    template Array<T> pytorch_linear(const Shape&, std::size_t, random::Generator&);           \
    template Array<T> pytorch_recurrent(const Shape&, std::size_t, random::Generator&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::nn::initialise
