/// \file
/// \brief What a translator is trained and judged on: sentence pairs in three parts, in words and
/// in numbers. Deliberately no models.
#pragma once

#include "common/grammar/grammar_corpus.hpp"
#include "common/text/batches.hpp"
#include "common/text/readers_corpus.hpp"
#include "common/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::seq2seq {

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

/// Numbers the words of a corpus.
/// \param parts    the training part not empty
/// \param options  which words are too rare to have a number
/// \returns        the task; translations are cut off twelve words behind the longest one of the
///                 training part
/// \throws BadInput if the training part is empty, or a word of another part has no number
TranslationTask task_of(text::CorpusParts parts, const text::VocabularyOptions& options = {});

/// The grammar's sentences, English to French.
/// \param seed   of the corpus
/// \param sizes  of its parts
/// \returns      the task
TranslationTask grammar_task(std::uint64_t seed, const text::CorpusSizes& sizes = {});

/// A reader's sentences, shared out by the hash of their sources. There is an `<unk>`, since
/// the other parts may hold words that the training part does not.
/// \param corpus         at least one pair
/// \param min_frequency  rarer words are unknown ones, at least 1
/// \returns              the task
/// \throws BadInput if no pair falls to the training part
TranslationTask readers_task(const text::ReadersCorpus& corpus, std::size_t min_frequency);

/// A number that is another one for other sentences, or the same in another order: what a training
/// that is taken up again has to agree on.
/// \param pairs  any
/// \returns      the number
std::uint64_t checksum_of(const std::vector<text::SentencePair>& pairs);

} // namespace attn::seq2seq
