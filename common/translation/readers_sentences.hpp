/// \file
/// \brief A reader's own sentences: the file, how it is read, and the task that it becomes.
#pragma once

#include "common/translation/task.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace attn::program {
class CommandLine;
}

namespace attn::translation {

/// Steps of a training on a reader's sentences, unless he says otherwise.
inline constexpr std::size_t readers_steps = 3000;

/// What --help says of --steps: "steps of each training (default: 1000; with --corpus 3000)".
/// \param chapters_steps  of each training on the chapter's own sentences
std::string steps_help(std::size_t chapters_steps);

/// A reader's corpus, and how it is to be read.
struct CorpusRequest
{
    std::optional<std::string> corpus = {}; ///< the file; without it there is the grammar
    bool tutorial = false;       ///< as text::tutorial_options reads it, French to English
    bool reversed = false;       ///< the second column is the source; with tutorial, the first
    std::size_t max_words = 100; ///< on each side; longer pairs are left out
    std::size_t min_frequency = 1; ///< rarer words are unknown ones
    bool strict = false;           ///< a malformed line is an error

    /// Whether anything was given that needs a corpus.
    bool any() const;
};

/// Declares --corpus, --tutorial, --reversed, --max-words, --min-frequency and --strict.
void add_corpus_options(program::CommandLine& command_line, CorpusRequest& request);

/// How the file is read; with tutorial, at most 9 words a side.
text::CorpusOptions corpus_options(const CorpusRequest& request);

/// A reader's sentences as they were read, and as a task.
struct ReadersSentences
{
    text::CorpusReport report; ///< what became of the lines
    std::size_t n_pairs;       ///< of sentences that are used
    TranslationTask task;      ///< in three parts
};

/// Reads the corpus of a request.
/// \throws BadInput if options are given that need a corpus and there is none, if the file cannot
///         be used, or if a part has too few pairs: 1 to train on and 1 to evaluate on
ReadersSentences read_sentences(const CorpusRequest& request);

} // namespace attn::translation
