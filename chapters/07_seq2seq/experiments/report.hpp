/// \file
/// \brief What the program of chapter 7 prints and saves, one function an experiment.
#pragma once

#include "chapters/07_seq2seq/experiments/bottleneck.hpp"
#include "common/program/run.hpp"
#include "common/translation/readers_sentences.hpp"

#include <cstddef>
#include <optional>
#include <vector>

/// The program's tables and files.
namespace attn::seq2seq::report {

using translation::CorpusRequest;
using translation::TranslationTask;

/// Steps of each training of the chapter, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 1000;

/// What a reader may ask of the trainings.
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< models of each kind
    nn::TrainingFiles files = {};            ///< of the training on a reader's corpus
};

/// The sentences of the chapter; a smaller corpus with --quick.
TranslationTask sentences(const program::Frame& frame);

/// Prints what the corpus is.
void corpus(program::Frame& frame, const TranslationTask& task);

/// Prints that an embedding is chapter 1's lookup.
void embedding(program::Frame& frame);

/// Prints and saves how well rules predict words that do not read the source.
void rules(program::Frame& frame, const TranslationTask& task);

/// Prints a search that goes wrong where it is greedy.
void search(program::Frame& frame);

/// All trained models of the chapter: [n_models][n_seeds].
using AllTrained = std::vector<std::vector<TrainedModel>>;

/// Trains all models, side by side, with a line that counts their steps.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

/// Prints and saves their quality by the length of the sentence, forced and free words, searches and
/// translations.
void bottleneck(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

/// Trains a GRU on a reader's sentences; prints and saves what came of it.
/// \throws BadInput if the corpus or a file cannot be used
void readers_corpus(program::Frame& frame, const CorpusRequest& request,
                    const Trainings& trainings);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::seq2seq::report
