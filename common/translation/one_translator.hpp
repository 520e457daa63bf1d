/// \file
/// \brief The one translator that a reader asks for, of a program that trains several for its page:
/// its options, what it learns from, its training, and what is printed of it.
#pragma once

#include "common/nn/one_model.hpp"
#include "common/program/run.hpp"
#include "common/translation/readers_sentences.hpp"
#include "common/translation/saving.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace attn::translation {

/// What a reader wants of one translator.
struct TranslatorRequest
{
    std::optional<std::string> translate = {}; ///< a sentence
    nn::TrainingFiles files = {};         ///< to save it in, and to go on with its training
    std::optional<std::string> load = {}; ///< a file to load it from
    CorpusRequest corpus = {};            ///< the sentences to learn from

    /// Which of these were given.
    nn::OneModelOptions given() const;
    /// Whether one translator is asked for, and not the chapter.
    bool any() const { return given().any(); }
};

/// Declares --save, --resume, --load and those of a corpus. (--translate is the program's own: it
/// says there what is shown.)
void add_translator_options(program::CommandLine& command_line, TranslatorRequest& request);

/// For messages: what the model is called, and that it is asked by --translate.
nn::OneModelWords translator_words(const std::string& model);

/// What one translator learns from.
struct Lesson
{
    TranslationTask task;                    ///< the reader's, or the grammar's
    std::optional<ReadersSentences> readers; ///< with a corpus
    text::Normalisation normalisation;       ///< of its sentences

    /// What the translator will know of their languages.
    Languages languages() const;
};

/// Reads the reader's sentences, or makes the grammar's. That the translator can be saved is made
/// sure before.
/// \param seed  of the grammar's sentences
/// \throws BadInput if the file of --save cannot be written, or as read_sentences
Lesson lesson_of(const TranslatorRequest& request, std::uint64_t seed);

/// Steps of the training: the reader's, else those of his sentences or the chapter's; few if quick.
std::size_t steps_of(const TranslatorRequest& request, const program::CommonOptions& options,
                     std::optional<std::size_t> n_steps, std::size_t chapters_steps);

/// How one translator is trained, and what is said of it.
struct OneTraining
{
    std::string chapter;     ///< its id
    std::string model;       ///< what messages call it: "translator"
    std::string heading;     ///< of what is printed
    std::string label;       ///< of the line of progress
    nn::Settings settings;   ///< what its file says of it
    TrainingOptions options; ///< of the loop
    std::string remark = {}; ///< on the losses
};

/// Trains the translator, prints what came of it if there is a corpus, and saves it.
/// \throws BadInput if a file cannot be used, or the sentence has words that the training cannot
///         teach: found out before it
/// \throws program::Interrupted after Ctrl-C; with --save the translator is saved as it is then
void train_one(program::Frame& frame, const TranslatorRequest& request, const Lesson& lesson,
               const TranslationModel& model, const OneTraining& how);

/// Prints a reader's sentence as it was read, and its translation.
void show_words(program::Frame& frame, const Languages& languages, const Translation& found);

/// Prints the weights of a translation as a heat map, if it has words.
/// \param title  above it, if not empty
void show_weights(program::Frame& frame, const Translation& found,
                  const std::string& title = "");

} // namespace attn::translation
