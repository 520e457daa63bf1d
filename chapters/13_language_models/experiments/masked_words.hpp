/// \file
/// \brief What a masked model has learnt: how often the word that it fills in is of the right
/// kind, and agrees.
#pragma once

#include "chapters/13_language_models/experiments/french_models.hpp"
#include "common/grammar/readings.hpp"

#include <array>
#include <cstddef>

namespace attn::language_models {

/// The kinds of words that are measured.
inline constexpr std::array measured_categories = {
    text::Category::determiner, text::Category::noun, text::Category::adjective,
    text::Category::verb};

/// Words of one kind, each hidden alone: how many, and how often something is right.
struct Filled
{
    std::size_t n = 0;        ///< words that were hidden
    double same_category = 0; ///< share that the model fills with a word of that kind
    double agreeing = 0;      ///< share of such a word that agrees with the one hidden
    double majority = 0;      ///< the same of the most frequent word of that kind
    double nearest_noun = 0;  ///< the same of a word that agrees with the nearest other noun
};

/// What a masked model has learnt.
struct MaskedMeasures
{
    double accuracy = 0; ///< share of the hidden words that it names
    double loss = 0;     ///< mean of -ln p of the hidden word
    double majority = 0; ///< share of the words that are the most frequent one
    std::array<Filled, measured_categories.size()> filled = {}; ///< by the kind of the word
};

/// Hides every word of the tested sentences, one after the other.
/// \param n_threads  how many passes at a time
MaskedMeasures measure_masked(const LanguageModel<float>& model,
                              const FrenchSentences& sentences, std::size_t n_threads);

/// Prints and saves the section on what the masked models have learnt.
void show_masked(program::Frame& frame, const FrenchSentences& sentences,
                 const MaskedTraining& training, const FrenchModels& models);

} // namespace attn::language_models
