#include "common/random/random.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>
#include <utility>

namespace attn::random {

namespace {

/// Two words in one.
__extension__ using Wide = unsigned __int128;

} // namespace

std::uint64_t split_mix_64(std::uint64_t& state)
{
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

Generator::Generator(std::uint64_t seed, std::uint64_t stream)
{
    // Mix the stream's number before it meets the seed, so that seed 1, stream 2 and
    // seed 2, stream 1 have nothing in common.
    std::uint64_t mixer = stream;
    mixer = seed ^ (stream == 0 ? 0 : split_mix_64(mixer));
    for (auto& word : state_) {
        word = split_mix_64(mixer);
    }
}

Generator::Generator(std::uint64_t seed, Stream stream, std::uint64_t member)
    : Generator(seed, (static_cast<std::uint64_t>(stream) << 40U) + member)
{
}

Generator::State Generator::state() const
{
    const std::uint64_t spare =
        has_spare_normal_ ? std::bit_cast<std::uint64_t>(spare_normal_) : 0;
    return {state_[0], state_[1], state_[2], state_[3], spare, has_spare_normal_ ? 1u : 0u};
}

void Generator::set_state(const State& state)
{
    const auto& [a, b, c, d, spare, has_spare] = state;
    expect((a | b | c | d) != 0,
           "Generator::set_state: state must begin with four words that are not all 0");
    expect(has_spare <= 1 && std::isfinite(std::bit_cast<double>(spare)),
           "Generator::set_state: the words of the waiting number must be finite and 0 or 1, "
           "got {} and {}",
           std::bit_cast<double>(spare), has_spare);
    state_ = {a, b, c, d};
    spare_normal_ = std::bit_cast<double>(spare);
    has_spare_normal_ = has_spare == 1;
}

std::uint64_t Generator::bits()
{
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Generator::below(std::uint64_t bound)
{
    expect(bound >= 1, "Generator::below: bound must be at least 1, got 0");
    // The high word of bits * bound is uniform once the low words that would make some
    // results more frequent than others are rejected.
    const std::uint64_t threshold = (0 - bound) % bound;
    Wide product = Wide(bits()) * bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
        product = Wide(bits()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
}

double Generator::uniform(double low, double high)
{
    expect(std::isfinite(low) && std::isfinite(high) && low <= high,
           "Generator::uniform: low must not be above high and both finite, got "
           "[{}, {})",
           low, high);
    const double u = static_cast<double>(bits() >> 11) * 0x1.0p-53;
    return low + (high - low) * u;
}

double Generator::normal(double mean, double standard_deviation)
{
    expect(std::isfinite(mean) && std::isfinite(standard_deviation) && standard_deviation >= 0,
           "Generator::normal: mean must be finite and standard_deviation finite "
           "and at least 0, got {} and {}",
           mean, standard_deviation);
    if (has_spare_normal_) {
        has_spare_normal_ = false;
        return mean + standard_deviation * spare_normal_;
    }
    // A point in polar coordinates: 1 - u lies in (0, 1], where the logarithm is finite.
    const double radius = std::sqrt(-2.0 * elementary::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_normal_ = radius * elementary::sin(angle);
    has_spare_normal_ = true;
    return mean + standard_deviation * radius * elementary::cos(angle);
}

Vector Generator::normals(std::size_t n)
{
    Vector draws = Vector::from_shape({n});
    for (auto& draw : draws) {
        draw = normal();
    }
    return draws;
}

Matrix Generator::normals(std::size_t n_rows, std::size_t n_columns)
{
    Matrix draws = Matrix::from_shape({n_rows, n_columns});
    for (auto& draw : draws) {
        draw = normal();
    }
    return draws;
}

std::vector<std::size_t> Generator::permutation(std::size_t n)
{
    return choice(n, n);
}

std::vector<std::size_t> Generator::choice(std::size_t n, std::size_t count)
{
    expect(count <= n, "Generator::choice: count must be at most n = {}, got {}", n, count);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(order[i], order[i + below(n - i)]);
    }
    order.resize(count);
    return order;
}

} // namespace attn::random
