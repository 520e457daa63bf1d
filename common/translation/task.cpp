#include "common/translation/task.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/tensor/check.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::translation {

TranslationTask task_of(text::CorpusParts parts, const text::VocabularyOptions& options)
{
    if (parts.train.empty()) {
        throw program::BadInput("corpus: no sentence pair is left to train on");
    }
    text::Vocabulary source(text::frequencies_of(parts.train, &text::SentencePair::source),
                            options);
    text::Vocabulary target(text::frequencies_of(parts.train, &text::SentencePair::target),
                            options);
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
    TranslationTask short_sentences =
        grammar_task(seed, {.train = n_train, .longest_train = 15});
    short_sentences.max_length = task.max_length;
    return short_sentences;
}

TranslationTask readers_task(const text::ReadersCorpus& corpus, std::size_t min_frequency)
{
    return task_of(text::split_by_source(corpus.pairs),
                   {.min_frequency = min_frequency, .with_unknown = true});
}

std::string steps_help(std::size_t chapters_steps, std::optional<std::size_t> of_one)
{
    return fmt::format(
        "steps of each training (default: {};{} with --corpus {})", chapters_steps,
        of_one ? fmt::format(" of one translator {};", *of_one) : "", readers_steps);
}

void add_corpus_options(program::CommandLine& command_line, CorpusRequest& request)
{
    command_line.add_input("--corpus", request.corpus, "FILE",
                           "sentences of yours: source, tab, translation, a pair a line");
    command_line.add_flag("--tutorial", request.tutorial,
                          "with --corpus: as PyTorch's tutorial reads it, short sentences and "
                          "the second column as source");
    command_line.add_flag("--reversed", request.reversed,
                          "with --corpus: swaps the two languages");
    command_line.add_count(
        "--max-words", request.max_words, 1,
        "with --corpus: longer pairs are left out; with --tutorial at most 9");
    command_line.add_count("--min-frequency", request.min_frequency, 1,
                           "with --corpus: rarer words are unknown ones");
    command_line.add_flag("--strict", request.strict,
                          "with --corpus: a malformed line is an error");
    command_line.need("--tutorial --reversed --max-words --min-frequency --strict", "--corpus",
                      "it says how a corpus is read; give the file by --corpus");
}

text::CorpusOptions corpus_options(const CorpusRequest& request)
{
    text::CorpusOptions options =
        request.tutorial ? text::tutorial_options() : text::CorpusOptions();
    options.max_words =
        request.tutorial ? std::min(options.max_words, request.max_words) : request.max_words;
    options.reversed = options.reversed != request.reversed;
    options.strict = request.strict;
    return options;
}

ReadersSentences read_sentences(const CorpusRequest& request)
{
    expect(request.corpus.has_value(), "read_sentences: there must be a corpus");
    const text::ReadersCorpus corpus =
        text::read_corpus(*request.corpus, corpus_options(request));
    const auto n_of = [&](text::CorpusPart part) {
        return std::count_if(
            corpus.pairs.begin(), corpus.pairs.end(),
            [&](const text::SentencePair& pair) { return text::part_of(pair.source) == part; });
    };
    if (n_of(text::CorpusPart::train) == 0 || n_of(text::CorpusPart::test) == 0) {
        throw program::BadInput(fmt::format(
            "{}: {} sentence pairs are too few; about eight in ten are trained on and one in "
            "ten is the test, and one of the two is empty",
            corpus.name, corpus.pairs.size()));
    }
    TranslationTask task = readers_task(corpus, request.min_frequency);
    return {corpus.report, corpus.pairs.size(), std::move(task)};
}

} // namespace attn::translation
