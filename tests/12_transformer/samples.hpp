/// \file
/// \brief What the tests of chapter 12 are written with: a small transformer and random
/// sentences.
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
template <typename T>
transformer::Transformer<T> small_transformer(const transformer::TransformerOptions& options,
                                              std::uint64_t stream = 1)
{
    random::Generator generator(12, stream);
    return {options, generator};
}

/// The instruction sets that the contract of bits speaks of.
/// \returns  those of this processor that are fused, the scalar one first
inline std::vector<const kernels::Kernels*> fused_sets()
{
    std::vector<const kernels::Kernels*> sets;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        if (kernels->fused) {
            sets.push_back(kernels);
        }
    }
    return sets;
}

/// Random numbers of words, none of them special.
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

/// Random sentences of full length, but for what the caller changes.
/// \param n_source  words of each source
/// \param n_target  words of each target
inline text::Batch random_batch(std::size_t n_pairs, std::size_t n_source, std::size_t n_target)
{
    text::Batch batch;
    batch.n_pairs = n_pairs;
    batch.n_source = n_source;
    batch.n_target = n_target;
    batch.source = random_words(n_pairs * n_source);
    batch.source_lengths.assign(n_pairs, n_source);
    batch.target_input = random_words(n_pairs * n_target, 2);
    batch.answers = random_words(n_pairs * n_target, 3);
    batch.target_lengths.assign(n_pairs, n_target);
    return batch;
}

/// Three sentences with padding on both sides.
inline text::Batch batch_of_three()
{
    text::Batch batch = random_batch(3, 7, 5);
    batch.source_lengths = {7, 3, 1};
    batch.target_lengths = {5, 2, 4};
    for (const std::size_t padded : {7U, 8U, 9U, 14U}) {
        batch.answers[padded] = text::ignored_answer;
    }
    return batch;
}

/// So many sentences, for rows of 64 numbers, that several threads share the work.
inline text::Batch batch_to_share()
{
    text::Batch batch = random_batch(33, 17, 16);
    batch.source_lengths[1] = 9;
    return batch;
}

} // namespace attn::testing
