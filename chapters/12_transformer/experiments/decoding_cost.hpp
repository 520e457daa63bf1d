/// \file
/// \brief Incremental decoding, with the keys and values of earlier words saved and without:
/// that both say the same, and what each costs.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>

namespace attn::transformer {

/// How much there is to compute.
struct DecodingSizes
{
    std::size_t d_model = 64;   ///< d, numbers in a row
    std::size_t d_ff = 128;     ///< numbers between the dense layers
    std::size_t n_layers = 1;   ///< of the decoder
    std::size_t n_source = 14;  ///< m, words of the source
    std::size_t n_target = 270; ///< words of the target language, scored at every step
};

/// Multiplications for the word number n, with keys and values kept: in each layer
/// \f$ 6 d^2 + 2 d\, d_{ff} \f$ for the projections of one row (four of its own attention, two
/// of that to the source) and the dense layers, \f$ 2 n d + 2 m d \f$ for the two attentions,
/// and once \f$ d V \f$ for the scores of the words.
/// \param n      counted from 1
std::size_t cached_cost(const DecodingSizes& sizes, std::size_t n);

/// Multiplications for the word number n if all rows before it are computed anew: n rows of
/// each layer, the causal attention \f$ n (n + 1) d \f$, the keys and values of the source
/// again, and the scores of the last row.
/// \param n      counted from 1
std::size_t uncached_cost(const DecodingSizes& sizes, std::size_t n);

/// Multiplications once a sentence, if they are kept: keys and values of the source,
/// \f$ 2 m d^2 \f$ a layer.
std::size_t source_cost(const DecodingSizes& sizes);

/// How far two ways to write are apart.
struct DecodingDifference
{
    std::size_t n_numbers; ///< scores that were compared
    double largest;        ///< largest difference of two of them
};

/// Writes random words with random numbers: at once with a causal mask, and one by one with
/// saved keys and values.
/// \returns         the difference of the scores: none, on kernels that are fused
template <typename T>
DecodingDifference compare_decoding(const LayerOptions& layer, std::size_t n_layers,
                                    std::size_t n_words, std::uint64_t seed);

/// Prints and saves what a word costs with saved keys and values and without, and whether both
/// ways say the same.
void show_decoding(program::Frame& frame);

} // namespace attn::transformer
