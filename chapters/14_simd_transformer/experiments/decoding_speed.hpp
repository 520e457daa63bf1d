/// \file
/// \brief How fast a model as large as GPT-2 writes and reads, with weights of four, two and one
/// bytes.
#pragma once

#include "chapters/14_simd_transformer/experiments/ladders.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace attn::simd_transformer {

/// The shortest run of each of several, in turns, so that a slow while of the machine meets all
/// alike. On one thread the processor's time is taken, so that what other programs take does not
/// count; on several the time that passes.
/// \param runs       each is run once before it counts
/// \param n_threads  that they compute on
/// \param n_turns    at least 1
/// \returns          seconds
std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& runs,
                                      std::size_t n_threads, std::size_t n_turns);

/// Prints how fast a model of GPT-2's size writes and reads, measured: by format, by the number of
/// texts, by heads of keys, and in one pass.
void show_decoding_speed(program::Frame& frame, const Settings& settings);

} // namespace attn::simd_transformer
