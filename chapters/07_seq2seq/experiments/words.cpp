#include "chapters/07_seq2seq/experiments/experiments.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/results.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"
#include "common/translation/trivial_rules.hpp"

#include <string>

namespace attn::seq2seq {

using autograd::as_matrix;
using program::fixed;
using program::Frame;
using program::significant;

namespace {

double largest_difference(const Matrix& a, const Matrix& b)
{
    return xt::amax(xt::abs(a - b))();
}

} // namespace

EmbeddingComparison compare_embedding(std::uint64_t seed, std::size_t n_words,
                                      const std::vector<std::int64_t>& words, std::size_t d)
{
    random::Generator generator(seed, random::Stream::word_tables);
    const auto table =
        autograd::parameter(nn::initialise::normal<double>({n_words, d}, 0.0, 1.0, generator));
    const autograd::Variable<double> row_gradients(
        nn::initialise::normal<double>({words.size(), d}, 0.0, 1.0, generator));
    const autograd::Tape<double> tape;
    const auto rows = gather_rows(table, words, {words.size()});
    backward(sum(rows * row_gradients));

    Matrix queries = xt::zeros<double>({words.size(), n_words}); // one-hot
    for (std::size_t i = 0; i < words.size(); ++i) {
        queries(i, static_cast<std::size_t>(words[i])) = 1;
    }
    const Matrix keys = xt::eye<double>(n_words);
    const Matrix transposed = xt::transpose(queries);
    EmbeddingComparison comparison;
    comparison.gathered = as_matrix(rows);
    comparison.looked_up =
        lookup::attend(queries, keys, as_matrix(table), lookup::dot_product, lookup::one_hot)
            .context;
    comparison.gradient = as_matrix(autograd::Variable<double>(table.gradient()));
    comparison.scattered = lookup::weighted_sum(transposed, as_matrix(row_gradients));
    comparison.largest_difference =
        largest_difference(comparison.gathered, comparison.looked_up);
    comparison.difference_of_gradients =
        largest_difference(comparison.gradient, comparison.scattered);
    return comparison;
}

void show_embedding(Frame& frame)
{
    const std::vector<std::int64_t> words = {4, 0, 2, 4, 1};
    const EmbeddingComparison compared = compare_embedding(frame.options.seed, 5, words, 3);
    frame.terminal.introduce(
        "An embedding is a lookup",
        "Words 4, 0, 2, 4, 1 of a table with 5 rows of 3 numbers, taken by their numbers, and "
        "by chapter 1's attention with one-hot queries, one-hot keys and the table as values. "
        "The "
        "gradient of a row is the sum of what flows back from each position where it was "
        "taken, "
        "which is the one-hot matrix, transposed, times what flows back.");
    program::Table table({"", "largest difference"});
    table.row({"rows", significant(compared.largest_difference, 3)});
    table.row({"gradients of the table", significant(compared.difference_of_gradients, 3)});
    frame.terminal.table(table);
}

TranslationTask sentences(const Frame& frame)
{
    const text::CorpusSizes quick{.train = 4000, .validation = 54, .test = 162};
    return translation::grammar_task(frame.options.seed,
                                     frame.options.quick ? quick : text::CorpusSizes());
}

namespace {

double mean_words(const std::vector<text::SentencePair>& pairs,
                  text::Words text::SentencePair::*side)
{
    double n_words = 0;
    for (const text::SentencePair& pair : pairs) {
        n_words += static_cast<double>((pair.*side).size());
    }
    return n_words / static_cast<double>(pairs.size());
}

} // namespace

void show_corpus(Frame& frame, const TranslationTask& task)
{
    frame.terminal.introduce(
        "The sentences",
        "Drawn from a small grammar of English and French; no source is in two parts. There "
        "are "
        "{} numbers for English words and {} for French ones, three of them for the beginning, "
        "the end and filling up. A full stop is a word.",
        task.source.size(), task.target.size());
    program::Table table({"part", "pairs", "mean words, English", "mean words, French"});
    const auto row = [&](const char* name, const std::vector<text::SentencePair>& pairs) {
        table.row({name, std::to_string(pairs.size()),
                   fixed(mean_words(pairs, &text::SentencePair::source), 1),
                   fixed(mean_words(pairs, &text::SentencePair::target), 1)});
    };
    row("training", task.pairs.train);
    row("validation", task.pairs.validation);
    row("test", task.pairs.test);
    frame.terminal.table(table);
}

void show_rules(Frame& frame, const TranslationTask& task)
{
    frame.terminal.introduce(
        "What can be predicted without reading the source",
        "Words of the test's translations, ends included, each after the right word before it. "
        "Counted on the training sentences.");
    program::Results results({"rule"}, {{"cross_entropy", fixed, 4}, {"accuracy", fixed, 4}},
                             {"perplexity"});
    for (const translation::Rule& rule :
         translation::trivial_rules(task.train, task.target.size())) {
        const text::TokenScores scores = translation::scores_of(rule, task.test);
        results.add({rule.name},
                    {scores.cross_entropy(), scores.accuracy(), scores.perplexity()});
    }
    frame.terminal.table(results.table({"rule",
                                        {{"cross-entropy", "cross_entropy", 3},
                                         {"perplexity", "perplexity", 1},
                                         {"words right", "accuracy", 3}}}));
    frame.files.write_csv("rules.csv", results.columns());
}

} // namespace attn::seq2seq
