/// \file
/// \brief The random streams of one seed that chapter 5 draws from. In one place, so that no two
/// of them share their numbers.
#pragma once

#include <cstdint>

/// Streams far enough apart for a model's or a task's number to be added.
namespace attn::attention_versus_dense::stream {

inline constexpr std::uint64_t training = 31ULL << 40U;   ///< examples to learn from
inline constexpr std::uint64_t validation = 32ULL << 40U; ///< examples to choose by
inline constexpr std::uint64_t test = 33ULL << 40U;       ///< examples to be asked about
inline constexpr std::uint64_t parameters = 34ULL << 40U; ///< first parameters of a model
inline constexpr std::uint64_t order = 35ULL << 40U;      ///< the order of the examples
inline constexpr std::uint64_t exact = 36ULL << 40U;      ///< for what holds without training

} // namespace attn::attention_versus_dense::stream
