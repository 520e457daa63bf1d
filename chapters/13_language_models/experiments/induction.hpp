/// \file
/// \brief Induction heads: models of one and of two layers that learn to go on with sequences,
/// what each head attends to, and what is lost without it.
#pragma once

#include "chapters/13_language_models/decoder_alone/induction.hpp"
#include "chapters/13_language_models/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::language_models {

/// A model after some steps of its training.
struct Moment
{
    std::size_t n_steps;                  ///< of the training
    RepetitionMeasures measures;          ///< on the tested sequences
    std::vector<double> induction_scores; ///< [n_layers], of each layer's only head
    std::vector<double> previous_scores;  ///< [n_layers], the same of previous_token_scores
};

/// A model of attention alone, one head a layer, that has learnt to go on with sequences.
struct TrainedRepeater
{
    LanguageModel<float> model;  ///< trained
    std::vector<Moment> moments; ///< every 20 steps, and at the end
};

/// Trains one.
/// \param tested  what it is measured on
TrainedRepeater train_repeater(const RepetitionTask& task, const Repetitions& tested,
                               std::size_t n_layers, std::size_t n_steps, std::uint64_t seed);

/// What a model of two layers came to under an intervention.
struct Intervention
{
    std::string name;            ///< as tables print it
    RepetitionMeasures measures; ///< on the tested sequences
    double induction_score;      ///< of the second layer's head
};

/// The model as it is; a head of either layer taken out; layer 1 with the weight on the token
/// before alone, and without it; and layer 2's queries, keys or values made from the embeddings.
/// \param model  of two layers with one head each, without dense layers
/// \returns      [8], in this order
std::vector<Intervention> all_interventions(const LanguageModel<float>& model,
                                            const Repetitions& tested);

/// Prints and saves the sections on induction heads.
void show_induction(program::Frame& frame);

} // namespace attn::language_models
