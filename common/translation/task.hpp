/// \file
/// \brief What a translator learns from and is evaluated on: sentence pairs in three parts, in words
/// and in numbers, of the grammar or of a reader's file.
#pragma once

#include "common/grammar/grammar_corpus.hpp"
#include "common/text/batches.hpp"
#include "common/text/readers_corpus.hpp"
#include "common/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::program {
class CommandLine;
}

namespace attn::translation {

/// Sentence pairs with the vocabularies of the training part.
struct TranslationTask
{
    text::CorpusParts pairs;                    ///< in words
    text::Vocabulary source;                    ///< of the training part's sources
    text::Vocabulary target;                    ///< of the training part's targets
    std::vector<text::NumberedPair> train;      ///< [n_train]
    std::vector<text::NumberedPair> validation; ///< [n_validation]
    std::vector<text::NumberedPair> test;       ///< [n_test]
    std::size_t max_length; ///< after so many steps a translation is cut off
};

/// Numbers the words of a corpus. Translations are cut off twelve words after the longest one of the
/// training part.
/// \param options  which words are too rare to have a number
/// \throws BadInput if the training part is empty, or a word of another part has no number
TranslationTask task_of(text::CorpusParts parts, const text::VocabularyOptions& options = {});

/// The grammar's sentences, English to French.
TranslationTask grammar_task(std::uint64_t seed, const text::CorpusSizes& sizes = {});

/// Sentences of at most 15 source words to learn from, as many as a task has; translations may be as
/// long as in that task.
/// \param n_train  how many to learn from
TranslationTask short_task(const TranslationTask& task, std::uint64_t seed,
                           std::size_t n_train);

/// A reader's sentences, shared out by the hash of their sources. There is an `<unk>`, since
/// the other parts may hold words that the training part does not.
/// \param corpus         at least one pair
/// \param min_frequency  rarer words are unknown ones, at least 1
/// \throws BadInput if no pair falls to the training part
TranslationTask readers_task(const text::ReadersCorpus& corpus, std::size_t min_frequency);

// ---------------------------------------------------------------- a reader's own sentences

/// Steps of a training on a reader's sentences, unless he says otherwise.
inline constexpr std::size_t readers_steps = 3000;

/// What --help says of --steps: "steps of each training (default: 1000; with --corpus 3000)".
/// \param chapters_steps  of each training on the chapter's own sentences
/// \param of_one          of a translator that a reader asks for, if that is another number
std::string steps_help(std::size_t chapters_steps, std::optional<std::size_t> of_one = {});

/// A reader's corpus, and how it is to be read.
struct CorpusRequest
{
    std::optional<std::string> corpus = {}; ///< the file; without it there is the grammar
    bool tutorial = false;       ///< as text::tutorial_options reads it, French to English
    bool reversed = false;       ///< the second column is the source; with tutorial, the first
    std::size_t max_words = 100; ///< on each side; longer pairs are left out
    std::size_t min_frequency = 1; ///< rarer words are unknown ones
    bool strict = false;           ///< a malformed line is an error
};

/// The options of a corpus, with blanks between their names.
inline constexpr const char* corpus_names =
    "--corpus --tutorial --reversed --max-words --min-frequency --strict";

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
/// \throws ContractError if the request has none
/// \throws BadInput if the file cannot be used, or if a part has too few pairs: 1 to train on and
///         1 to evaluate on
ReadersSentences read_sentences(const CorpusRequest& request);

} // namespace attn::translation
