#include "chapters/07_seq2seq/experiments/readers_corpus.hpp"

#include "chapters/07_seq2seq/experiments/bottleneck.hpp"
#include "common/program/atomic_file.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace attn::seq2seq {

using program::fixed;
using program::Frame;
using program::significant;
using translation::CorpusRequest;

namespace {

/// What must be the same when the training is resumed.
nn::Settings settings_of(const Frame& frame, const translation::ReadersSentences& read,
                         const TrainingOptions& options)
{
    return {
        {"chapter", "07_seq2seq"},
        {"seed", std::to_string(frame.options.seed)},
        {"steps", std::to_string(options.n_steps)},
        {"pairs", std::to_string(read.n_pairs)},
        {"source words", std::to_string(read.task.source.size())},
        {"target words", std::to_string(read.task.target.size())},
        {"sentences", fmt::format("{:016x}", translation::checksum_of(read.task.pairs.train))}};
}

/// Buckets up to the longest source.
std::vector<text::LengthBucket> buckets_of(const TranslationTask& task)
{
    std::size_t longest = 2;
    for (const text::SentencePair& pair : task.pairs.test) {
        longest = std::max(longest, pair.source.size());
    }
    return text::length_buckets(1, 4, longest);
}

/// At most so many sentences of a part, its first ones: evaluation takes time.
constexpr std::size_t n_evaluated = 2000;

TranslationTask with_short_test(TranslationTask task)
{
    if (task.test.size() > n_evaluated) {
        task.test.resize(n_evaluated);
        task.pairs.test.resize(n_evaluated);
    }
    return task;
}

void show_lines(Frame& frame, const CorpusRequest& request,
                const translation::ReadersSentences& read)
{
    frame.terminal.heading("Your sentences");
    frame.terminal.paragraph(
        fmt::format("{}:", std::filesystem::path(*request.corpus).filename().string()));
    frame.terminal.line(read.report.to_text());
    program::Table table({"part", "pairs"});
    table.row({"training", std::to_string(read.task.train.size())});
    table.row({"validation", std::to_string(read.task.validation.size())});
    table.row({"test", std::to_string(read.task.test.size())});
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "{} numbers for words of the source, {} for those of the translation. Which "
        "part a pair is in depends on its source alone.",
        read.task.source.size(), read.task.target.size()));
}

/// How well words are predicted, beside rules that count.
void show_predicted(Frame& frame, const TranslationTask& task, const Evaluation& evaluation)
{
    program::Table words({"who foretells", "cross-entropy", "perplexity", "words right"});
    const auto row = [&](const std::string& name, const text::TokenScores& scores) {
        words.row({name, fixed(scores.cross_entropy(), 3), fixed(scores.perplexity(), 1),
                   fixed(scores.accuracy(), 3)});
    };
    row(models()[0].name, translation::tokens_of(evaluation));
    for (const translation::Rule& rule :
         translation::trivial_rules(task.train, task.target.size())) {
        row(rule.name, translation::scores_of(rule, task.test));
    }
    frame.terminal.table(words);
}

/// Prints and keeps the quality by the length of the source.
void show_by_length(Frame& frame, const Evaluation& evaluation, const TranslationTask& task)
{
    const text::CountsByLength counts =
        text::counts_by_length(evaluation.translations, buckets_of(task));
    program::Table table({"words in the source", "sentences", "exact match", "BLEU"});
    program::CsvRows csv({{"shortest", significant, 6},
                          {"sentences", significant, 9},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2}});
    const auto add = [&](const std::string& name, double shortest,
                         const text::TranslationCounts& some) {
        table.row({name, std::to_string(some.n_sentences), fixed(some.exact_match(), 3),
                   fixed(100 * some.bleu(), 1)});
        csv.add({shortest, static_cast<double>(some.n_sentences), some.exact_match(),
                 100 * some.bleu()});
    };
    for (const text::BucketCounts& bucket : counts.buckets) {
        add(bucket.bucket.name(), static_cast<double>(bucket.bucket.shortest), bucket.counts);
    }
    add("all", 0, counts.all);
    frame.terminal.table(table);
    frame.files.write_csv("trained_readers_lengths.csv", csv.columns());
}

} // namespace

void show_readers_corpus(Frame& frame, const CorpusRequest& request,
                         const nn::TrainingFiles& files, std::optional<std::size_t> n_steps)
{
    if (files.save) {
        program::require_writable(*files.save, "--save"); // before anything is printed
    }
    translation::ReadersSentences read = translation::read_sentences(request);
    if (files.resume) {
        program::read_file(*files.resume); // or it is refused before a folder is made
    }
    frame.files.require_writable();
    show_lines(frame, request, read);
    read.task = with_short_test(std::move(read.task));
    const TranslationTask& task = read.task;

    TrainingOptions options;
    options.n_steps = n_steps.value_or(translation::readers_steps);
    if (frame.options.quick) {
        options.n_steps = std::min<std::size_t>(options.n_steps, 20);
    }
    options.seed = frame.options.seed;
    const Translator<float> translator = translator_of(models()[0], task, options.seed);
    const translation::TranslationModel model = model_of(translator);
    const std::vector<double> losses =
        translation::train(model, task.train, options,
                           {.files = files, .settings = settings_of(frame, read, options)});
    const Evaluation evaluation =
        translation::evaluate(model, task, {task.pairs.test, task.test});

    frame.terminal.heading("A GRU that hands on one vector");
    frame.terminal.paragraph(fmt::format("{} parameters, {} steps of {} sentences; the last "
                                         "loss is {}. On {} pairs of the test, "
                                         "words after the right words before them:",
                                         translator.parameters().n_numbers(), losses.size(),
                                         options.batch_size, fixed(losses.back(), 3),
                                         task.test.size()));
    frame.terminal.line();
    show_predicted(frame, task, evaluation);
    frame.terminal.line();
    show_by_length(frame, evaluation, task);
    frame.terminal.line();
    translation::report::show_translations(frame, task.pairs.test, evaluation,
                                           {3, 5, 7, 9, 12, 16, 20});
}

} // namespace attn::seq2seq
