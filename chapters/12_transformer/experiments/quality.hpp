/// \file
/// \brief How well trained transformers translate: the whole, by the length of the sentence,
/// without a part, with some residual connections, and with the norm before or after.
#pragma once

#include "chapters/12_transformer/experiments/variants.hpp"

#include <cstddef>
#include <vector>

namespace attn::transformer {

/// Means of losses over a few steps each, so that a curve can be read.
/// \param every  steps of a mean, at least 1
/// \returns      [n_steps / every], an incomplete last one left out
/// \throws ContractError if every is 0
std::vector<double> means_of(const std::vector<double>& losses, std::size_t every);

/// Prints and saves the quality of the whole beside Bahdanau's model and rules without
/// learning, and by the length of the sentence.
void show_quality(program::Frame& frame, const TranslationTask& task,
                  const AllTrained& trained);

void show_ablation(program::Frame& frame, const AllTrained& trained); ///< without each part

/// Prints and saves what residual connections are worth in the encoder and in the decoder.
void show_residuals(program::Frame& frame, const AllTrained& trained);

/// Prints and saves how transformers learn with the norm before and after, with warm-up and
/// without.
void show_norms(program::Frame& frame, const AllTrained& trained);

} // namespace attn::transformer
