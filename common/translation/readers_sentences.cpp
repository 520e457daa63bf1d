#include "common/translation/readers_sentences.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/text/sentence_pair.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn::translation {

std::string steps_help(std::size_t chapters_steps)
{
    return fmt::format("steps of each training (default: {}; with --corpus {})", chapters_steps,
                       readers_steps);
}

bool CorpusRequest::any() const
{
    const CorpusRequest none;
    return corpus || tutorial || reversed || strict || max_words != none.max_words ||
           min_frequency != none.min_frequency;
}

void add_corpus_options(program::CommandLine& command_line, CorpusRequest& request)
{
    command_line.add_text("--corpus", request.corpus, "FILE",
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
    if (!request.corpus) {
        throw program::BadInput("--corpus: the file is missing; --tutorial, --reversed, "
                                "--max-words, --min-frequency and --strict say how it is read");
    }
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
