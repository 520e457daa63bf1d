#include "chapters/07_seq2seq/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/07_seq2seq/context.hpp"
#include "chapters/07_seq2seq/experiments/experiments.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>

namespace attn::seq2seq::report {

using autograd::as_matrix;
using autograd::as_variable;
using autograd::Variable;
using program::fixed;
using program::Frame;
using program::significant;

TranslationTask sentences(const Frame& frame)
{
    const text::CorpusSizes quick{.train = 4000, .validation = 54, .test = 162};
    return translation::grammar_task(frame.options.seed,
                                     frame.options.quick ? quick : text::CorpusSizes());
}

void embedding(Frame& frame)
{
    const std::vector<std::int64_t> words = {4, 0, 2, 4, 1};
    const EmbeddingComparison compared = compare_embedding(frame.options.seed, 5, words, 3);
    frame.terminal.introduce(
        "An embedding is a lookup",
        "Words 4, 0, 2, 4, 1 of a table with 5 rows of 3 numbers, taken by their numbers, and "
        "by "
        "chapter 1's attention with one-hot queries, one-hot keys and the table as values. The "
        "slope of a row is the sum of what flows back from each place where it was taken, "
        "which is the one-hot matrix, turned, times what flows back.");
    program::Table table({"", "largest difference"});
    table.row({"rows", significant(compared.largest_difference, 3)});
    table.row({"slopes of the table", significant(compared.difference_of_gradients, 3)});
    frame.terminal.table(table);
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

void corpus(Frame& frame, const TranslationTask& task)
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

void rules(Frame& frame, const TranslationTask& task)
{
    frame.terminal.introduce(
        "What can be foretold without reading the source",
        "Words of the test's translations, ends included, each after the right word before it. "
        "Counted on the training sentences.");
    program::Table table({"rule", "cross-entropy", "perplexity", "words right"});
    std::vector<double> entropies;
    std::vector<double> shares;
    for (const translation::Rule& rule :
         translation::trivial_rules(task.train, task.target.size())) {
        const text::TokenScores scores = translation::scores_of(rule, task.test);
        entropies.push_back(scores.cross_entropy());
        shares.push_back(scores.accuracy());
        table.row({rule.name, fixed(scores.cross_entropy(), 3), fixed(scores.perplexity(), 1),
                   fixed(scores.accuracy(), 3)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("rules.csv", program::CsvColumns()
                                           .add("cross_entropy", entropies, fixed, 4)
                                           .add("accuracy", shares, fixed, 4));
}

namespace {

/// A sentence of the search example.
std::string sentence_of(const text::Hypothesis<>& hypothesis)
{
    std::string sentence;
    for (const std::size_t word : hypothesis.words) {
        sentence += std::string(search_words[word]) + " ";
    }
    return sentence + (hypothesis.finished ? "</s>" : "...");
}

} // namespace

void search(Frame& frame)
{
    frame.terminal.introduce(
        "A search that is greedy",
        "Two words, a and b, and the end. The probability of the next word depends on the last "
        "one alone; a row is the last word, a column the next.");
    const Matrix p = search_table();
    program::Table table({"last", "</s>", "a", "b"});
    for (const std::size_t last : {0U, 2U, 3U}) {
        table.row({std::string(search_words[last]), fixed(p(last, 1), 2), fixed(p(last, 2), 2),
                   fixed(p(last, 3), 2)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    program::Table found({"search", "finds", "probability"});
    for (const std::size_t width : {1U, 2U}) {
        const text::Hypothesis<> best = search_example(width).front();
        found.row({width == 1 ? "greedy" : "beam of 2", sentence_of(best),
                   fixed(elementary::exp(best.log_probability), 4)});
    }
    frame.terminal.table(found);
}

void pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "A sentence of three words has been read; the example's keys stand for its states. Two "
        "decoders are in different states, the example's queries, and see the same context: "
        "nothing is asked. The readout is s + c, tanh, and the product with three "
        "words' vectors, the example's keys again.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    trace(terminal, "s", "the decoders' states", "batch, d", queries);
    trace(terminal, "e", "the encoder's states", "n_steps, d", keys);

    // The same sentence for both decoders.
    Matrix twice = Matrix::from_shape({2 * keys.shape(0), keys.shape(1)});
    Matrix last = Matrix::from_shape({2, 2});
    xt::view(twice, xt::range(0, 3), xt::all()) = keys;
    xt::view(twice, xt::range(3, 6), xt::all()) = keys;
    xt::row(last, 0) = xt::row(keys, 2);
    xt::row(last, 1) = xt::row(keys, 2);
    const Encoding<double> encoding{
        as_variable(twice, {2, 3, 2}), as_variable(last, {2, 2}), {3, 3}};
    const Variable<double> s = as_variable(queries, {2, 2});
    for (const ContextFunction<double>& context :
         {last_state<double>(), mean_state<double>(), largest_numbers<double>()}) {
        trace(terminal, "c", context.name, "batch, d",
              as_matrix(context.read(encoding)({s, s}).context));
    }
    const Variable<double> c = mean_state<double>().read(encoding)({s, s}).context;
    const Variable<double> r = tanh(s + c);
    trace(terminal, "r", "tanh(s + c), with the mean", "batch, d", as_matrix(r));
    const Matrix turned = xt::transpose(keys);
    const Variable<double> logits = matmul(r, as_variable(turned, {2, 3}));
    trace(terminal, "logits", "r times the words' vectors", "batch, n_words",
          as_matrix(logits));
    trace(terminal, "p", "softmax: of the next word", "batch, n_words",
          as_matrix(softmax(logits)));
}

} // namespace attn::seq2seq::report
