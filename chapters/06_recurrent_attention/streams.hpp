/// \file
/// \brief The random streams of one seed that chapter 6 draws from: no two share their numbers.
#pragma once

#include <cstdint>

/// Streams far enough apart for a model's number to be added.
namespace attn::recurrent_attention::stream {

inline constexpr std::uint64_t recall_parameters = 61ULL << 40U; ///< where learning starts
inline constexpr std::uint64_t recall_training = 62ULL << 40U;   ///< pairs to learn from
inline constexpr std::uint64_t recall_test = 63ULL << 40U;       ///< pairs to be tested on
inline constexpr std::uint64_t series = 64ULL << 40U;            ///< constructed series
inline constexpr std::uint64_t forecaster = 65ULL << 40U;        ///< where learning starts
inline constexpr std::uint64_t batches = 66ULL << 40U;           ///< the order of windows

} // namespace attn::recurrent_attention::stream
