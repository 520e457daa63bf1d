#include "common/autograd/dropout.hpp"

#include "common/autograd/rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace attn::autograd {

namespace {

/// Below which 32 random bits drop an entry.
std::uint32_t threshold_of(double probability)
{
    return static_cast<std::uint32_t>(
        std::min(std::round(std::ldexp(probability, 32)), std::ldexp(1.0, 32) - 1));
}

/// 1 for an entry that is kept, else 0. In bytes, for g++ 12 takes bools one by one.
using Kept = Array<unsigned char>;

/// Which entries are kept, two a draw.
Kept draw_kept(const Shape& shape, double probability, random::Generator& generator)
{
    const std::uint32_t threshold = threshold_of(probability);
    Kept kept = uninitialised<unsigned char>(shape);
    unsigned char* const entry = kept.data();
    const std::size_t n = kept.size();
    for (std::size_t i = 0; i < n; i += 2) {
        const std::uint64_t bits = generator.bits();
        entry[i] = static_cast<std::uint32_t>(bits) >= threshold;
        if (i + 1 < n) {
            entry[i + 1] = static_cast<std::uint32_t>(bits >> 32U) >= threshold;
        }
    }
    return kept;
}

/// factor x_i, or 0 where it is not kept.
template <typename T>
T scaled_or_zero(T x, T factor, unsigned char kept)
{
    const int is_kept = kept;
    const T scaled = factor * x;
    return is_kept != 0 ? scaled : T(0);
}

} // namespace

template <typename T>
Variable<T> dropout(const Variable<T>& x, double probability, random::Generator& generator)
{
    expect(probability >= 0 && probability < 1,
           "dropout: probability must be at least 0 and below 1, got {}", probability);
    if (probability == 0) {
        return x;
    }
    const T factor = static_cast<T>(1 / (1 - probability));
    Kept kept = draw_kept(x.shape(), probability, generator);
    Array<T> y = uninitialised<T>(x.shape());
    const std::span<const T> from = numbers_of(x.value());
    const std::span<T> to = numbers_of(y);
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = scaled_or_zero(from[i], factor, kept.data()[i]);
    }
    return record(
        std::move(y), x.needs_gradient(),
        [x, factor, kept = std::move(kept)](const Array<T>& /*y*/, const Array<T>& gradient) {
            const T* const dy = gradient.data();
            const unsigned char* const entry = kept.data();
            add_to_gradient(
                x, [=](std::size_t i) { return scaled_or_zero(dy[i], factor, entry[i]); });
        });
}

template Variable<float> dropout(const Variable<float>&, double, random::Generator&);
template Variable<double> dropout(const Variable<double>&, double, random::Generator&);

} // namespace attn::autograd
