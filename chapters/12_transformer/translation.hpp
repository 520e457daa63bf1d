/// \file
/// \brief A transformer as the model that common/translation trains, searches and evaluates.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "common/translation/evaluation.hpp"

namespace attn::transformer {

using translation::HeadChoice;
using translation::TranslationModel;

/// A transformer, as training, evaluation and interventions see it: translations are searched by
/// incremental decoding.
/// \param transformer  must outlive the result
/// \param rng          of a training with dropout, must outlive the result; null for none
/// \throws ContractError if there is no such layer or head
TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice = {},
                          random::Generator* rng = nullptr);

} // namespace attn::transformer
