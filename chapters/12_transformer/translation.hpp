/// \file
/// \brief A transformer as the model that common/translation trains, searches and evaluates.
#pragma once

#include "chapters/12_transformer/transformer.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::transformer {

using translation::TranslationModel;
using translation::Translations;

/// Whose weights count as the alignment: of one attention to the source.
struct HeadChoice
{
    std::size_t layer = 0;                ///< of the decoder
    std::optional<std::size_t> head = {}; ///< none: the mean of all heads
};

/// "mean" or "head 1", counted from 1.
std::string name_of(const HeadChoice& choice);

/// The mean of all heads of the decoder's first layer, then each of them [n_heads + 1].
std::vector<HeadChoice> head_choices(const Transformer<float>& transformer);

/// A transformer, as training, evaluation and interventions see it.
/// \param transformer  must outlive the result
/// \param rng          of a training with dropout, must outlive the result; null for none
/// \throws ContractError if there is no such layer or head
TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice = {},
                          random::Generator* rng = nullptr);

/// Searches for translations by incremental decoding, without recording anything.
/// \param max_length   steps after which a translation is cut off, at least 1
/// \param choice       whose weights each step leaves behind
/// \returns            [batch][1 to width], finished ones first, then by falling score
/// \throws ContractError for a word that is none, or if a size is 0
Translations translate(const Transformer<float>& transformer, const Sentences& sentences,
                       std::size_t max_length, const text::BeamOptions& beam = {.width = 1},
                       const HeadChoice& choice = {});

} // namespace attn::transformer
