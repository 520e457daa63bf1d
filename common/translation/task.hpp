/// \file
/// \brief What a translator learns from and is evaluated on: sentence pairs in three parts, in words
/// and in numbers.
#pragma once

#include "common/grammar/grammar_corpus.hpp"
#include "common/text/batches.hpp"
#include "common/text/readers_corpus.hpp"
#include "common/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

/// A number that is another one for other sentences, or the same in another order: what a training
/// that is resumed has to agree on.
std::uint64_t checksum_of(const std::vector<text::SentencePair>& pairs);

} // namespace attn::translation
