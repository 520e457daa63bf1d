/// \file
/// \brief The one translator that a reader asks for: what he wants of it, what it learns from and
/// how it is trained, here and in chapter 12. Deliberately without a model, and nothing printed.
#pragma once

#include "chapters/07_seq2seq/readers_question.hpp"
#include "chapters/08_bahdanau/learning.hpp"
#include "common/nn/one_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace attn::program {
class CommandLine;
struct CommonOptions;
} // namespace attn::program

namespace attn::bahdanau {

/// What a reader wants of one translator.
struct ReadersTranslator
{
    std::optional<std::string> translate = {}; ///< a sentence
    nn::TrainingFiles files = {};         ///< to keep it in, and to go on with its training
    std::optional<std::string> load = {}; ///< a file to take it from
    seq2seq::ReadersQuestion corpus = {}; ///< the sentences to learn from

    /// \returns which of these were given
    nn::OneModelOptions given() const;

    /// \returns whether one translator is asked for, and not the chapter
    bool any() const { return given().any(); }
};

/// Declares --save, --resume, --load and those of a corpus. (--translate is the program's own: it
/// says there what is shown.)
/// \param command_line  of a program that trains one translator if asked to
/// \param request       takes what the reader gives
void add_translator_options(program::CommandLine& command_line, ReadersTranslator& request);

/// What messages call a translator.
/// \param model  "translator"
/// \returns      and that it is asked by --translate
nn::OneModelWords translator_words(const std::string& model);

/// What one translator learns from.
struct Lesson
{
    seq2seq::TranslationTask task;                    ///< the reader's, or the grammar's
    std::optional<seq2seq::ReadersSentences> readers; ///< with a corpus
};

/// Reads the reader's sentences, or makes the grammar's. That the translator can be kept is made
/// sure before.
/// \param request  what is wanted
/// \param seed     of the grammar's sentences
/// \returns        the sentences
/// \throws BadInput if the file of --save cannot be written, or as seq2seq::read_sentences
Lesson lesson_of(const ReadersTranslator& request, std::uint64_t seed);

/// How one translator is trained.
/// \param request         what is wanted
/// \param options         of every program: the seed, and whether to be quick
/// \param n_steps         what the reader says, if anything
/// \param chapters_steps  of a training on the grammar's sentences
/// \returns               with a line of progress, without looks on the way
LearningOptions learning_options(const ReadersTranslator& request,
                                 const program::CommonOptions& options,
                                 std::optional<std::size_t> n_steps,
                                 std::size_t chapters_steps);

/// What must be the same when a training is taken up again.
/// \param chapter  its id
/// \param kept     what the file says of the translator itself
/// \param options  how it is trained
/// \param task     to learn
/// \returns        all of it, for LearningOptions
nn::Settings training_settings(const std::string& chapter, nn::Settings kept,
                               const LearningOptions& options,
                               const seq2seq::TranslationTask& task);

} // namespace attn::bahdanau
