/// \file
/// \brief The experiments of chapter 7, in the order of its program: how quality falls with the length
/// of a sentence, what the right words before are worth, and which search finds more.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "common/nn/training.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"
#include "common/text/beams.hpp"
#include "common/text/search.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::seq2seq {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::TranslationTask;

// ---------------- an embedding is a lookup

/// An embedding taken in two ways.
struct EmbeddingComparison
{
    Matrix gathered;           ///< rows of the table by their numbers [n, d]
    Matrix looked_up;          ///< chapter 1's attention with one-hot queries and keys [n, d]
    Matrix gradient;           ///< of the table, by the tape [n_words, d]
    Matrix scattered;          ///< one-hot columns times the rows' gradients [n_words, d]
    double largest_difference; ///< between the first two
    double difference_of_gradients; ///< the largest between the last two
};

/// Takes rows of a random table by their numbers, and by chapter 1's lookup.
/// \param n_words rows of the table
/// \param words   numbers of rows, below n_words
/// \param d       numbers in a row
EmbeddingComparison compare_embedding(std::uint64_t seed, std::size_t n_words,
                                      const std::vector<std::int64_t>& words, std::size_t d);

/// Prints that an embedding is chapter 1's lookup.
void show_embedding(program::Frame& frame);

// ---------------- the sentences, and rules that do not read them

/// The sentences of the chapter; a smaller corpus with --quick.
TranslationTask sentences(const program::Frame& frame);

/// Prints what the corpus is.
void show_corpus(program::Frame& frame, const TranslationTask& task);

/// Prints and saves how well rules predict words that do not read the source.
void show_rules(program::Frame& frame, const TranslationTask& task);

// ---------------- a search that is greedy

/// Sentences that a search finds in the search example: two words, a and b, and the end, where the
/// probability of the next word depends on the last one alone.
/// \returns  [1 to width], the most probable first
std::vector<text::Hypothesis> search_example(std::size_t width);

/// Prints a search that goes wrong where it is greedy.
void show_greedy_search(program::Frame& frame);

// ---------------- the bottleneck: quality by the length of the sentence

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

/// The share of sentences that would come out right if each word, ends included, were right with
/// the same probability, whatever the others are: the mean of \f$ p^L \f$.
/// \returns  the share; nan if none counts
double right_by_chance(const std::vector<text::EvaluatedTranslation>& translations,
                       const text::LengthBucket& bucket, double p);

/// Prints and saves the quality of all models by the length of the sentence, and saves their losses
/// beside those of rules that count words.
void show_bottleneck(program::Frame& frame, const TranslationTask& task,
                     const std::vector<SeedsOfModel>& trained);

// ---------------- after the right words, and after the model's own

/// The share of sentences of which, under teacher forcing, every word was predicted right.
/// \returns  the share; nan if there are none
double all_words_right(const std::vector<text::EvaluatedTranslation>& translations);

/// The share of the references' words, ends included, at whose position a translation that was found
/// without teacher forcing has the same word.
/// \returns  the share; nan if there are none
double right_positions(const std::vector<text::EvaluatedTranslation>& translations);

/// Those of some translations whose source has a length of a bucket.
std::vector<text::EvaluatedTranslation>
of_bucket(const std::vector<text::EvaluatedTranslation>& translations,
          const text::LengthBucket& bucket);

/// Prints and saves how many words are right after the right words and after the model's own.
void show_forced_and_free(program::Frame& frame, const SeedsOfModel& trained);

// ---------------- greedy or beam

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
const text::Hypothesis& preferred(const std::vector<text::Hypothesis>& found,
                                  const text::LengthPenalty& penalty);

/// Translates the test set of a task: greedy, and by a beam of 4 whose sentences are compared as they
/// are and under Google's length penalty with alpha = 1.
std::vector<SearchResult> compare_searches(const Translator<float>& translator,
                                           const TranslationTask& task);

/// Prints and saves what greedy and beam search find.
void show_searches(program::Frame& frame, const TranslationTask& task,
                   const SeedsOfModel& trained);

// ---------------- longer trainings

/// Trains as the chapter's longer trainings say, side by side, and evaluates.
/// \param n_steps  of the usual training, fewer if quick
/// \param n_seeds  of each model, one if quick
/// \returns        [n_longer_trainings][n_seeds]
std::vector<SeedsOfModel> train_longer(const program::Frame& frame, const TranslationTask& task,
                                       std::optional<std::size_t> n_steps, std::size_t n_seeds);

/// Prints and saves the quality by the length of the sentence after the longer trainings, beside
/// that after the usual one.
/// \param trained  of train_all
/// \param longer   of train_longer
void show_longer(program::Frame& frame, const std::vector<SeedsOfModel>& trained,
                 const std::vector<SeedsOfModel>& longer);

// ---------------- a reader's sentences

/// Trains a GRU on a reader's sentences; prints and saves what came of it.
/// \param n_steps  of the training; translation::readers_steps if not given
/// \throws BadInput if the corpus or a file cannot be used
void show_readers_corpus(program::Frame& frame, const translation::CorpusRequest& corpus,
                         const nn::TrainingFiles& files, std::optional<std::size_t> n_steps);

// ---------------- step by step with a pencil

/// Prints the pencil example, every intermediate by its name and shape.
void show_pencil_steps(program::Frame& frame);
} // namespace attn::seq2seq
