/// \file
/// \brief Models whose decoder sees one vector of the source, trained and evaluated on sentences of
/// all lengths.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::seq2seq {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::Observer;
using translation::TrainingOptions;
using translation::TranslationTask;

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

/// What a search found for all sentences of a test set.
struct SearchResult
{
    std::size_t width;              ///< of the beam; 1 is greedy
    double alpha;                   ///< of the length penalty; 0 is none
    text::TranslationCounts counts; ///< against the references
    double mean_log_probability;    ///< of what was found, a sentence
    double mean_length;             ///< of what was found, in words
};

/// The one of several hypotheses that a penalty prefers, its end symbol counted: the first of the
/// best, where those that ended by themselves go before those that were cut off.
/// \param found  at least one
const text::Hypothesis<>& preferred(const std::vector<text::Hypothesis<>>& found,
                                    const text::LengthPenalty& penalty);

/// Translates the test set of a task: greedy, and by a beam of 4 whose sentences are compared as they
/// are and under Google's length penalty with alpha = 1.
std::vector<SearchResult> compare_searches(const Translator<float>& translator,
                                           const TranslationTask& task);

/// A model that was trained, and evaluated on the test set.
struct TrainedModel
{
    std::size_t n_parameters;    ///< numbers that were learnt
    std::vector<double> losses;  ///< [n_steps]
    Evaluation evaluation;       ///< of the test set
    text::CountsByLength counts; ///< of its translations
    std::vector<SearchResult>
        searches; ///< greedy, beam, beam with length penalty; if asked for
};

/// Trains a model and evaluates it.
/// \param task      to learn from the training part, to be evaluated on the test part
/// \param options   of the training; its seed is that of the first parameters too
/// \param observe   called after each step; may be empty
/// \throws as train
TrainedModel try_model(const Model& model, const TranslationTask& task,
                       const TrainingOptions& options, bool searches, const Observer& observe);

/// The share of sentences that would come out right if each word, ends included, were right with
/// the same probability, whatever the others are: the mean of \f$ p^L \f$.
/// \returns             the share; nan if none counts
double right_by_chance(const std::vector<text::EvaluatedTranslation>& translations,
                       const text::LengthBucket& bucket, double p);

/// The share of sentences of which, under teacher forcing, every word was predicted right.
/// \returns             the share; nan if there are none
double all_words_right(const std::vector<text::EvaluatedTranslation>& translations);

/// The share of the references' words, ends included, at whose position a translation that was found
/// without teacher forcing has the same word.
/// \returns             the share; nan if there are none
double right_positions(const std::vector<text::EvaluatedTranslation>& translations);

/// Those of some translations whose source has a length of a bucket.
std::vector<text::EvaluatedTranslation>
of_bucket(const std::vector<text::EvaluatedTranslation>& translations,
          const text::LengthBucket& bucket);

} // namespace attn::seq2seq
