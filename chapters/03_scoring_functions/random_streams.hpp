/// \file
/// \brief The random streams of one seed that chapter 3's experiments draw from. In one place,
/// so that no two experiments share their numbers.
#pragma once

#include <cstdint>

/// Streams far enough apart for a size, a piece or a table to be added.
namespace attn::scoring_functions::stream {

inline constexpr std::uint64_t pairs = 1ULL << 40U;   ///< whose dot products vary
inline constexpr std::uint64_t tables = 2ULL << 40U;  ///< of keys, for the root of d
inline constexpr std::uint64_t lengths = 3ULL << 40U; ///< of keys, for Gaussian and dot product
inline constexpr std::uint64_t maps = 4ULL << 40U;    ///< from a key to its query
inline constexpr std::uint64_t trials = 5ULL << 40U;  ///< of the tasks of retrieval
inline constexpr std::uint64_t no_bias = 6ULL << 40U; ///< the parameters of that additive score
inline constexpr std::uint64_t example = 7ULL << 40U; ///< one query and its keys, growing

} // namespace attn::scoring_functions::stream
