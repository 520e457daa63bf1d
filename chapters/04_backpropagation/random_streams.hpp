/// \file
/// \brief The random streams of one seed that chapter 4's trainings draw from. In one place, so
/// that no two of them share their numbers.
#pragma once

#include <cstdint>

/// Streams far enough apart for a score's number to be added.
namespace attn::backpropagation::stream {

inline constexpr std::uint64_t small_maps = 21ULL << 40U;       ///< from a key to its query
inline constexpr std::uint64_t first_parameters = 22ULL << 40U; ///< of the scores
inline constexpr std::uint64_t training = 23ULL << 40U;         ///< tables to learn from
inline constexpr std::uint64_t test = 24ULL << 40U;             ///< tables to be asked about
inline constexpr std::uint64_t root_data = 25ULL << 40U;        ///< for the root of d
inline constexpr std::uint64_t root_parameters = 26ULL << 40U;  ///< of the projections
inline constexpr std::uint64_t lesson = 27ULL << 40U;           ///< the lesson's examples
inline constexpr std::uint64_t lesson_training = 28ULL << 40U;  ///< parameters and order

} // namespace attn::backpropagation::stream
