/// \file
/// \brief Any bytes as a corpus of sentences, and as a stored vocabulary; what is accepted must
/// be sentences of words that can be numbered, and a report that adds up.
#include "common/program/text.hpp"
#include "common/text/batches.hpp"
#include "common/text/readers_corpus.hpp"
#include "common/text/sentence_pair.hpp"
#include "common/text/vocabulary.hpp"
#include "tests/fuzz/refused.hpp"

namespace {

using namespace attn;
using text::CorpusOptions;
using text::Words;

/// What any accepted sentence must be.
void demand_clean(const Words& words, const CorpusOptions& options)
{
    fuzz::demand(!words.empty() && words.size() <= options.max_words);
    for (const std::string& word : words) {
        fuzz::demand(!word.empty() && program::is_printable(word));
        fuzz::demand(word.find(' ') == std::string::npos);
    }
    fuzz::demand(text::normalised_words(text::text_of(words), options.normalisation) == words);
}

void read_with(std::string_view bytes, const CorpusOptions& options)
{
    fuzz::expect_returned_or_refused([&] {
        const text::ReadersCorpus corpus = text::parse_corpus(bytes, "fuzz.txt", options);
        fuzz::demand(corpus.pairs.size() == corpus.report.n(text::LineKind::pair));
        fuzz::demand(!corpus.pairs.empty());
        fuzz::demand(!options.strict || corpus.report.n_faults() == 0);
        for (const text::SentencePair& pair : corpus.pairs) {
            demand_clean(pair.source, options);
            demand_clean(pair.target, options);
        }

        // The way to a batch and back.
        const text::Vocabulary sources(
            text::frequencies_of(corpus.pairs, &text::SentencePair::source));
        const text::Vocabulary targets(
            text::frequencies_of(corpus.pairs, &text::SentencePair::target), {2});
        const auto numbered = text::numbered_pairs(corpus.pairs, sources, targets);
        for (const auto& chosen : text::evaluation_plan(numbered.size(), 3)) {
            text::batch_of(numbered, chosen);
        }
        fuzz::demand(sources.decode(numbered[0].source) == corpus.pairs[0].source);
        fuzz::demand(text::Vocabulary::from_text(targets.to_text(), "again") == targets);
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    CorpusOptions options;
    read_with(bytes, options);
    options.strict = true;
    read_with(bytes, options);
    read_with(bytes, text::tutorial_options());
    options = text::tutorial_options();
    options.beginnings.clear();
    read_with(bytes, options);
    fuzz::expect_returned_or_refused([&] {
        const text::Vocabulary vocabulary = text::Vocabulary::from_text(bytes, "fuzz");
        fuzz::demand(text::Vocabulary::from_text(vocabulary.to_text(), "again") == vocabulary);
    });
    return 0;
}
