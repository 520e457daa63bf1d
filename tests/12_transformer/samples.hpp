/// \file
/// \brief What the tests of chapter 12 are written with: a small transformer and random
/// sentences. Deliberately without the grammar.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "tests/common/autograd/samples.hpp"

#include <string>
#include <vector>

namespace attn::testing {

/// Words of a small transformer's languages.
inline constexpr std::size_t n_few_words = 11;

/// Options of a small transformer.
/// \param norm      where rows are normalised
/// \param n_layers  of the encoder, and of the decoder
/// \returns         the options
inline transformer::TransformerOptions
small_options(transformer::NormPlace norm = transformer::NormPlace::before,
              std::size_t n_layers = 2)
{
    return {.n_source_words = n_few_words,
            .n_target_words = n_few_words,
            .n_encoder_layers = n_layers,
            .n_decoder_layers = n_layers,
            .layer = {.d_model = 6, .n_heads = 3, .d_ff = 10, .norm = norm}};
}

/// A small transformer.
/// \tparam T       float or double
/// \param options  of it
/// \param stream   another number, other numbers
/// \returns        untrained
template <typename T>
transformer::Transformer<T> small_transformer(const transformer::TransformerOptions& options,
                                              std::uint64_t stream = 1)
{
    random::Generator generator(12, stream);
    return {options, generator};
}

/// Random numbers of words, none of them special.
/// \param n       how many
/// \param stream  another number, other words
/// \returns       [n]
inline std::vector<std::int64_t> random_words(std::size_t n, std::uint64_t stream = 1)
{
    random::Generator generator(13, stream);
    std::vector<std::int64_t> words;
    for (std::size_t i = 0; i < n; ++i) {
        words.push_back(3 + static_cast<std::int64_t>(generator.below(n_few_words - 3)));
    }
    return words;
}

} // namespace attn::testing
