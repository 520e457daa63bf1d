/// \file
/// \brief A first sign of life, in seconds: sentences of random symbols that are to be copied.
#pragma once

#include "chapters/12_transformer/experiments/variants.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::transformer {

/// How large the task is.
struct CopyOptions
{
    std::size_t n_symbols = 10; ///< besides the special ones
    std::size_t length = 10;    ///< of each sentence
    std::size_t n_steps = 300;  ///< of the training, batches of 32
    std::size_t n_test = 200;   ///< sentences that were not learnt from
    std::uint64_t seed = 1;     ///< of everything
};

/// What a copying transformer came to.
struct TrainedCopier
{
    std::vector<double> losses; ///< [n_steps]
    double words;               ///< share of symbols predicted right, end symbols included
    double exact;               ///< share of sentences copied without a mistake
    double on_place;            ///< mean weight, over the heads, on the symbol that is copied
};

/// Sentences and themselves.
/// \param length     of each, at least 1
/// \param n_symbols  to draw from, at least 1
/// \returns          [n_pairs]
std::vector<text::NumberedPair> copies(std::size_t n_pairs, std::size_t length,
                                       std::size_t n_symbols, random::Generator& generator);

/// Trains a small transformer to copy, and lets it copy new sentences.
/// \param options  sizes at least 1
TrainedCopier try_copying(const CopyOptions& options);

} // namespace attn::transformer
