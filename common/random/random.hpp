/// \file
/// \brief Random numbers that are the same with every standard library: `xoshiro256**`
/// (Blackman and Vigna 2018), seeded by SplitMix64, and our own distributions on top, since
/// std::normal_distribution and std::shuffle differ between libraries.
#pragma once

#include "common/tensor/tensor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Random numbers, the same on every machine.
namespace attn::random {

enum class Stream : std::uint64_t; // streams.hpp

/// The next number of Vigna's SplitMix64, which turns any seed into well-mixed state.
/// \param state  advanced by the call
std::uint64_t split_mix_64(std::uint64_t& state);

/// A stream of random numbers, decided by its seed and stream number alone.
class Generator
{
public:
    /// Starts the stream. Runs that may go on side by side (models, draws of the noise)
    /// take one stream each, so that their numbers do not depend on who runs first.
    /// \param stream  which of the seed's independent streams
    explicit Generator(std::uint64_t seed, std::uint64_t stream = 0);

    /// Starts one of the book's streams (streams.hpp).
    /// \param member  which of those that are together named \p stream, below \f$ 2^{40} \f$
    Generator(std::uint64_t seed, Stream stream, std::uint64_t member = 0);

    /// How many words decide what comes next.
    static constexpr std::size_t n_state_words = 6;

    /// All that decides what comes next: the four words of the generator, then the bits of the
    /// normal number that waits, if any, and whether one does.
    using State = std::array<std::uint64_t, n_state_words>;

    /// \returns what a generator must be set to, to go on as this one will
    State state() const;

    /// Goes on where another generator was.
    /// \throws ContractError if no generator can be in that state; this one is then as before
    void set_state(const State& state);

    /// The generator's own output.
    /// \returns  64 random bits
    std::uint64_t bits();

    /// A uniform integer below a bound, without the bias of a remainder (Lemire 2019).
    /// \param bound  at least 1
    /// \returns      0, 1, ..., bound - 1, each with the same probability
    /// \throws ContractError if bound is 0
    std::uint64_t below(std::uint64_t bound);

    /// A uniform number with 53 random bits.
    /// \param low   included
    /// \param high  excluded, finite, not below low
    /// \returns     low + (high - low) u, u uniform on [0, 1)
    /// \throws ContractError if the interval is empty or not finite
    double uniform(double low = 0.0, double high = 1.0);

    /// A normal number (Box and Muller 1958).
    /// \param mean                any finite number
    /// \param standard_deviation  at least 0, finite
    /// \returns                   mean + standard_deviation z, z standard normal
    /// \throws ContractError if the standard deviation is negative or one is not finite
    double normal(double mean = 0.0, double standard_deviation = 1.0);

    /// A vector of independent standard normal numbers.
    /// \returns [n]
    Vector normals(std::size_t n);

    /// A matrix of independent standard normal numbers, drawn row by row.
    /// \returns [n_rows, n_columns]
    Matrix normals(std::size_t n_rows, std::size_t n_columns);

    /// A random order, each of the n! with the same probability (Fisher and Yates).
    /// \returns 0, 1, ..., n - 1 in random order
    std::vector<std::size_t> permutation(std::size_t n);

    /// Distinct numbers below a bound, in random order.
    /// \param count  how many, at most n
    /// \returns      [count], no number twice
    /// \throws ContractError if count is above n
    std::vector<std::size_t> choice(std::size_t n, std::size_t count);

private:
    std::array<std::uint64_t, 4> state_;
    double spare_normal_ = 0.0;
    bool has_spare_normal_ = false;
};

} // namespace attn::random
