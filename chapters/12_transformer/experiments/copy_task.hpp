/// \file
/// \brief A first sign of life, in seconds: sentences of random symbols that are to be copied.
#pragma once

#include "common/program/run.hpp"
#include "common/random/random.hpp"
#include "common/text/batches.hpp"

#include <cstddef>
#include <vector>

namespace attn::transformer {

/// Sentences and themselves.
/// \param length     of each, at least 1
/// \param n_symbols  to draw from, at least 1
/// \returns          [n_pairs]
std::vector<text::NumberedPair> copies(std::size_t n_pairs, std::size_t length,
                                       std::size_t n_symbols, random::Generator& generator);

void show_copying(program::Frame& frame); ///< after trainings of several lengths

} // namespace attn::transformer
