#include "chapters/07_seq2seq/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/translation/one_translator.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>
#include <string>

namespace attn::seq2seq {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

/// How well words are predicted, beside rules that count.
void show_predicted(Frame& frame, const TranslationTask& task, const Evaluation& evaluation)
{
    program::Table words({"who predicts", "cross-entropy", "perplexity", "words right"});
    const auto row = [&](const std::string& name, const text::TokenScores& scores) {
        words.row({name, fixed(scores.cross_entropy(), 3), fixed(scores.perplexity(), 1),
                   fixed(scores.accuracy(), 3)});
    };
    row(models()[0].name, translation::tokens_of(evaluation));
    const EvaluationSet part = translation::evaluated_part(task);
    for (const translation::Rule& rule :
         translation::trivial_rules(task.train, task.target.size())) {
        row(rule.name, translation::scores_of(rule, part.numbered));
    }
    frame.terminal.table(words);
}

/// Prints and keeps the quality by the length of the source.
void show_by_length(Frame& frame, const Evaluation& evaluation)
{
    std::size_t longest = 2;
    for (const text::EvaluatedTranslation& translation : evaluation.translations) {
        longest = std::max(longest, translation.source_length);
    }
    const text::CountsByLength counts =
        text::counts_by_length(evaluation.translations, text::length_buckets(1, 4, longest));
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

void show_readers_corpus(Frame& frame, const translation::CorpusRequest& corpus,
                         const nn::TrainingFiles& files, std::optional<std::size_t> n_steps)
{
    const translation::TranslatorRequest request{.files = files, .corpus = corpus};
    const translation::TrainingData data =
        translation::training_data(request, frame.options.seed);
    const TranslationTask& task = data.task;
    const Translator<float> translator = translator_of(models()[0], task, frame.options.seed);
    const Evaluation evaluation = translation::train_one(
        frame, request, data, model_of(translator),
        {.chapter = "07_seq2seq",
         .model = "translator",
         .heading = "A GRU that hands on one vector",
         .label = "training",
         .settings = {{"pairs", std::to_string(data.readers->n_pairs)},
                      {"source words", std::to_string(task.source.size())},
                      {"target words", std::to_string(task.target.size())}},
         .options = {.n_steps = translation::steps_of(request, frame.options, n_steps),
                     .seed = frame.options.seed},
         .loadable = false});
    frame.terminal.line();
    show_predicted(frame, task, evaluation);
    frame.terminal.line();
    show_by_length(frame, evaluation);
}

} // namespace attn::seq2seq
