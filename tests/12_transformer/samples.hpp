/// \file
/// \brief What the tests of chapters 12 and 14 are written with: a small transformer and random
/// sentences.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "common/translation/model.hpp"
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

/// Scores of every next word, [n_pairs, n_target, n_few_words].
template <typename T>
Array<T> scores_of(const transformer::Transformer<T>& transformer, const text::Batch& batch)
{
    const transformer::Memory<T> memory = transformer.encode(
        transformer.embed(translation::sources_of(batch)), batch.source_lengths);
    return transformer.logits(transformer.decode(batch.target_input, memory)).value();
}

/// The scores of one sentence's word.
template <typename T>
std::vector<T> scores_at(const Array<T>& scores, std::size_t sentence, std::size_t position)
{
    const T* const first =
        scores.data() + (sentence * scores.shape()[1] + position) * n_few_words;
    return {first, first + n_few_words};
}

/// The gradients of all parameters.
/// \param loss  if not null, receives it
template <typename T>
std::vector<Array<T>> gradients_of(const transformer::Transformer<T>& transformer,
                                   const text::Batch& batch, random::Generator* rng = nullptr,
                                   Array<T>* loss = nullptr)
{
    const autograd::Tape<T> tape;
    const Variable<T> of_batch = transformer.loss(batch, rng);
    backward(of_batch);
    if (loss != nullptr) {
        *loss = of_batch.value();
    }
    std::vector<Array<T>> gradients;
    for (const nn::NamedParameter<T>& one : transformer.parameters()) {
        Variable<T> variable = one.variable;
        gradients.push_back(variable.gradient());
        variable.clear_gradient();
    }
    return gradients;
}

/// Another word, none of them special.
inline void change(std::int64_t& word)
{
    word = word == 3 ? 4 : 3;
}

} // namespace attn::testing
