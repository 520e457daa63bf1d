/// \file
/// \brief One vector for a sentence: models whose decoder sees one vector of the source, trained, and
/// evaluated on sentences of all lengths.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "common/program/run.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::seq2seq {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::TrainingOptions;
using translation::TranslationTask;

/// Steps of each training of the chapter, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 1000;

/// A model of the chapter's experiment.
struct Model
{
    std::string name;                    ///< as programs, figures and tests print it
    Unit unit;                           ///< what takes a step
    ContextFunction<float> (*context)(); ///< makes its way to a context
};

/// The models of the chapter's experiment.
/// \returns  GRU with last state, mean, maximum; LSTM with last state
const std::vector<Model>& models();

/// Makes a model for a task, with numbers drawn from a seed.
Translator<float> translator_of(const Model& model, const TranslationTask& task,
                                std::uint64_t seed);

/// A model that was trained, and evaluated on the test set.
struct TrainedModel
{
    Translator<float> translator; ///< trained
    std::vector<double> losses;   ///< [n_steps]
    Evaluation evaluation;        ///< of the test set
    text::CountsByLength counts;  ///< of its translations
};

/// The same model of several seeds.
using SeedsOfModel = std::vector<TrainedModel>;

/// Trains all models side by side, and evaluates them.
/// \param n_steps  of each training, fewer if quick
/// \param n_seeds  of each model, one if quick
/// \returns        [n_models][n_seeds]
std::vector<SeedsOfModel> train_all(const program::Frame& frame, const TranslationTask& task,
                                    std::optional<std::size_t> n_steps, std::size_t n_seeds);

/// A training of a model of the chapter, as a multiple of the usual number of steps.
struct LongerTraining
{
    std::size_t model;   ///< of models()
    std::size_t n_times; ///< as many steps as the others
};

/// The longer trainings of the chapter, the longest ones last.
const std::vector<LongerTraining>& longer_trainings();

/// Trains as the chapter's longer trainings say, side by side, and evaluates.
/// \param n_steps  of the usual training, fewer if quick
/// \param n_seeds  of each model, one if quick
/// \returns        [n_longer_trainings][n_seeds]
std::vector<SeedsOfModel> train_longer(const program::Frame& frame, const TranslationTask& task,
                                       std::optional<std::size_t> n_steps, std::size_t n_seeds);

/// The share of sentences that would come out right if each word, ends included, were right with
/// the same probability, whatever the others are: the mean of \f$ p^L \f$.
/// \returns  the share; nan if none counts
double right_by_chance(const std::vector<text::EvaluatedTranslation>& translations,
                       const text::LengthBucket& bucket, double p);

/// Prints and saves the quality of all models by the length of the sentence, and saves their losses
/// beside those of rules that count words.
void show_bottleneck(program::Frame& frame, const TranslationTask& task,
                     const std::vector<SeedsOfModel>& trained);

/// Prints and saves the quality by the length of the sentence after the longer trainings, beside
/// that after the usual one.
/// \param trained  of train_all
/// \param longer   of train_longer
void show_longer(program::Frame& frame, const std::vector<SeedsOfModel>& trained,
                 const std::vector<SeedsOfModel>& longer);

} // namespace attn::seq2seq
