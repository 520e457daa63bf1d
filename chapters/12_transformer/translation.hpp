/// \file
/// \brief A transformer as the model of chapters 7 and 8 that is trained, searched, judged and
/// intervened in. Deliberately only the fitting of one to the other.
#pragma once

#include "chapters/07_seq2seq/translation_model.hpp"
#include "chapters/12_transformer/transformer.hpp"

#include <cstddef>
#include <optional>

namespace attn::transformer {

/// Whose weights count as the alignment: of one attention to the source.
struct Look
{
    std::size_t layer = 0;                ///< of the decoder
    std::optional<std::size_t> head = {}; ///< none: the mean of all heads
};

/// A transformer, as training, judging and intervening see it.
/// \param transformer  must outlive the result
/// \param look         whose weights it hands out
/// \param rng          of a training with dropout, must outlive the result; null for none
/// \returns            functions that call it
/// \throws ContractError if there is no such layer or head
seq2seq::TranslationModel model_of(const Transformer<float>& transformer, const Look& look = {},
                                   random::Generator* rng = nullptr);

/// Searches for translations by incremental decoding, without recording anything.
/// \param transformer  trained, or not
/// \param sentences    of words below n_source_words
/// \param max_length   steps after which a translation is cut off, at least 1
/// \param beam         how wide the search is
/// \param look         whose weights each step leaves behind
/// \returns            [batch][1 to width], finished ones first, then by falling score
/// \throws ContractError for a word that is none, or if a size is 0
seq2seq::Translations translate(const Transformer<float>& transformer,
                                const Sentences& sentences, std::size_t max_length,
                                const text::BeamOptions& beam = {.width = 1},
                                const Look& look = {});

} // namespace attn::transformer
