/// \file
/// \brief What each head of the attention to the source attends to: alignment of every head and
/// of their mean, the choice of one, what deleting a word does beside its weight, and one
/// sentence word by word.
#pragma once

#include "chapters/12_transformer/experiments/variants.hpp"
#include "common/translation/evaluation.hpp"

#include <cstddef>
#include <vector>

namespace attn::transformer {

/// How well weights point to the words that are translated.
struct HeadMeasures
{
    HeadChoice choice;          ///< a head, or the mean of all
    double validation_error;    ///< alignment error on sentences to validate on
    translation::Measures test; ///< of sentences to test on, without translations of its own
};

/// Measures the mean and every head of the decoder's first layer.
/// \returns           [n_heads + 1], the mean first
std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const translation::EvaluationSet& validation,
                                        const translation::EvaluationSet& test);

/// The head with the lowest alignment error on the validation sentences, of equal ones the
/// first.
/// \throws ContractError if there is no head
std::size_t best_head(const std::vector<HeadMeasures>& measures);

/// The alignment and the choice of every seed's heads.
std::vector<std::vector<HeadMeasures>>
show_heads(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

/// Prints and saves what deleting a word does, beside its weight in each head.
void show_interventions(program::Frame& frame, const TranslationTask& task,
                        const AllTrained& trained, const Trainings& trainings);

/// Prints and saves one sentence word by word and some translations, and saves the interactive
/// figures' data.
/// \param heads  of the first seed
void show_sentence(program::Frame& frame, const TranslationTask& task,
                   const AllTrained& trained, const std::vector<HeadMeasures>& heads);

} // namespace attn::transformer
