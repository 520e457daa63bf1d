/// \file
/// \brief The random streams of one seed that chapter 11 draws from: no two share their numbers.
#pragma once

#include <cstdint>

/// Streams far enough apart for a model's number to be added.
namespace attn::multi_head::stream {

inline constexpr std::uint64_t facts = 111ULL << 40U;           ///< layers that are not trained
inline constexpr std::uint64_t pair_parameters = 112ULL << 40U; ///< where learning starts
inline constexpr std::uint64_t pair_training = 113ULL << 40U;   ///< pairs to learn from
inline constexpr std::uint64_t pair_test = 114ULL << 40U;       ///< pairs to test on
inline constexpr std::uint64_t model = 115ULL << 40U;           ///< where learning starts
inline constexpr std::uint64_t sequence_training = 116ULL << 40U; ///< sequences to learn from
inline constexpr std::uint64_t sequence_test = 117ULL << 40U;     ///< sequences to test on

} // namespace attn::multi_head::stream
