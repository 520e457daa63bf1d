#include "common/translation/task.hpp"

#include "common/program/bad_input.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <utility>

namespace attn::translation {

TranslationTask task_of(text::CorpusParts parts, const text::VocabularyOptions& options)
{
    if (parts.train.empty()) {
        throw program::BadInput("corpus: no sentence pair is left to train on");
    }
    text::Vocabulary source(text::source_frequencies(parts.train), options);
    text::Vocabulary target(text::target_frequencies(parts.train), options);
    std::size_t longest = 0;
    for (const text::SentencePair& pair : parts.train) {
        longest = std::max(longest, pair.target.size());
    }
    constexpr std::size_t further = 12;
    std::vector<text::NumberedPair> train = numbered_pairs(parts.train, source, target);
    std::vector<text::NumberedPair> validation =
        numbered_pairs(parts.validation, source, target);
    std::vector<text::NumberedPair> test = numbered_pairs(parts.test, source, target);
    return {std::move(parts),      std::move(source), std::move(target), std::move(train),
            std::move(validation), std::move(test),   longest + further};
}

TranslationTask grammar_task(std::uint64_t seed, const text::CorpusSizes& sizes)
{
    return task_of(text::grammar_corpus(seed, sizes));
}

TranslationTask short_task(const TranslationTask& task, std::uint64_t seed, std::size_t n_train)
{
    TranslationTask brief = grammar_task(seed, {.train = n_train, .longest_train = 15});
    brief.max_length = task.max_length;
    return brief;
}

TranslationTask readers_task(const text::ReadersCorpus& corpus, std::size_t min_frequency)
{
    return task_of(text::split_by_source(corpus.pairs),
                   {.min_frequency = min_frequency, .with_unknown = true});
}

std::uint64_t checksum_of(const std::vector<text::SentencePair>& pairs)
{
    std::uint64_t sum = 0;
    for (const text::SentencePair& pair : pairs) {
        sum = 31 * (31 * sum + text::hash_of(pair.source)) + text::hash_of(pair.target);
    }
    return sum;
}

} // namespace attn::translation
