/// \file
/// \brief What the program of chapter 7 prints and keeps, one function an experiment.
/// Deliberately without formulas: the other headers have them.
#pragma once

#include "chapters/07_seq2seq/readers_question.hpp"
#include "chapters/07_seq2seq/translation_task.hpp"
#include "common/nn/training.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>

/// The program's tables and files.
namespace attn::seq2seq::report {

/// Steps of each training of the chapter, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 1000;

/// What a reader may ask of the trainings.
struct Settings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< models of each kind
    nn::TrainingFiles files = {};            ///< of the training on a reader's corpus
};

/// The sentences of the chapter; a smaller corpus with --quick.
/// \param frame  with the seed
/// \returns      the task
TranslationTask sentences(const program::Frame& frame);

/// Prints what the corpus is.
/// \param frame  the program's terminal
/// \param task   of sentences()
void corpus(program::Frame& frame, const TranslationTask& task);

/// Prints that an embedding is chapter 1's lookup.
/// \param frame  the program's terminal
void embedding(program::Frame& frame);

/// Prints and keeps how well rules foretell words that do not read the source.
/// \param frame  the program's terminal and files
/// \param task   of sentences()
void rules(program::Frame& frame, const TranslationTask& task);

/// Prints a search that goes wrong where it is greedy.
/// \param frame  the program's terminal
void search(program::Frame& frame);

/// Trains the models; prints and keeps their quality by the length of the sentence, forced and
/// free words, searches and translations.
/// \param frame     the program's terminal and files
/// \param task      of sentences()
/// \param settings  how long, how often
void bottleneck(program::Frame& frame, const TranslationTask& task, const Settings& settings);

/// Trains a GRU on a reader's sentences; prints and keeps what came of it.
/// \param frame     the program's terminal and files
/// \param question  with a corpus
/// \param settings  how long, and in which files it is kept
/// \throws BadInput if the corpus or a file cannot be used
void readers_corpus(program::Frame& frame, const ReadersQuestion& question,
                    const Settings& settings);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::seq2seq::report
