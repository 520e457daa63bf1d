/// \file
/// \brief The body of bottleneck() of report.hpp.
#include "chapters/07_seq2seq/experiments/report.hpp"
#include "chapters/07_seq2seq/report_translations.hpp"
#include "chapters/07_seq2seq/experiments/report_trials.hpp"
#include "chapters/07_seq2seq/trivial_rules.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/progress.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>

namespace attn::seq2seq::report {

using program::CsvColumns;
using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;

namespace {

using Trials = std::vector<std::vector<Trial>>; // [model][seed]

/// Trains all models, side by side, with a line that counts their steps.
Trials try_all(const Frame& frame, const TranslationTask& task, const Settings& settings)
{
    const std::size_t n_seeds = frame.options.quick ? 1 : settings.n_seeds;
    TrainingOptions options;
    options.n_steps = settings.n_steps.value_or(chapters_steps);
    if (frame.options.quick) {
        options.n_steps = std::min<std::size_t>(options.n_steps, 20);
    }
    Trials trials(models().size(), std::vector<Trial>(n_seeds));
    program::Progress progress("training", models().size() * n_seeds * options.n_steps);
    constexpr std::array<std::size_t, 4> longest_first = {0, 3, 1, 2};
    std::mutex one_at_a_time;
    const auto observe = [&](std::size_t) {
        const std::lock_guard lock(one_at_a_time);
        progress.advance();
    };
    parallel::for_each_index(models().size() * n_seeds, frame.options.threads,
                             [&](std::size_t index) {
                                 const std::size_t model = longest_first.at(index / n_seeds);
                                 TrainingOptions own = options;
                                 own.seed = frame.options.seed + index % n_seeds;
                                 trials[model][index % n_seeds] =
                                     try_model(models()[model], task, own, model == 0, observe);
                             });
    return trials;
}

/// All models, all lengths together.
void overall(Frame& frame, const Trials& trials)
{
    program::Table table({"model", "size", "perplexity", "right", "exact match", "BLEU"});
    for (std::size_t model = 0; model < trials.size(); ++model) {
        const std::vector<Trial>& of_model = trials[model];
        table.row(
            {models()[model].name, std::to_string(of_model.front().n_parameters),
             fixed(of(of_model, [](const Trial& t) { return all_of(t).tokens.perplexity(); })
                       .median(),
                   2),
             fixed(of(of_model, [](const Trial& t) { return all_of(t).token_accuracy(); })
                       .median(),
                   3),
             of(of_model, [](const Trial& t) { return all_of(t).exact_match(); }).text(3),
             of(of_model, [](const Trial& t) { return 100 * all_of(t).bleu(); }).text(1)});
    }
    frame.terminal.table(table);
}

/// A row a bucket, a column a model, and one more column.
template <typename Number>
void by_length(Frame& frame, const Trials& trials, Number number, int decimals,
               const std::string& last_name, const std::vector<double>& last)
{
    std::vector<std::string> header = {"words", "n"};
    for (const Model& model : models()) {
        header.push_back(model.name);
    }
    if (!last.empty()) {
        header.push_back(last_name);
    }
    program::Table table(header);
    const auto buckets = text::length_buckets();
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
        std::vector<std::string> row = {
            buckets[bucket].name(),
            std::to_string(counts_of(trials[0][0], bucket).n_sentences)};
        for (const std::vector<Trial>& of_model : trials) {
            row.push_back(
                fixed(of(of_model,
                         [&](const Trial& trial) { return number(counts_of(trial, bucket)); })
                          .median(),
                      decimals));
        }
        if (!last.empty()) {
            row.push_back(fixed(last[bucket], decimals));
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

/// p^L of each bucket, with the first model's share of words right as p.
std::vector<double> reference_of(const Trials& trials)
{
    const double p = of(trials[0], [](const Trial& trial) {
                         return all_of(trial).token_accuracy();
                     }).median();
    std::vector<double> numbers;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        numbers.push_back(right_by_chance(trials[0][0].judgement.translations, bucket, p));
    }
    return numbers;
}

/// The names of columns: "gru_last_state", ...
std::string column_of(const Model& model)
{
    std::string name;
    for (const char c : model.name) {
        name += c == ' ' ? "_" : c == ',' ? "" : std::string(1, c);
    }
    return name;
}

/// A line for each model, seed and bucket; and what the figure draws.
void keep_lengths(Frame& frame, const Trials& trials, const std::vector<double>& reference)
{
    const auto buckets = text::length_buckets();
    program::CsvRows csv({{"model", significant, 3},
                          {"seed", significant, 12},
                          {"shortest", significant, 3},
                          {"longest", significant, 3},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2},
                          {"words_right", fixed, 4},
                          {"loss", fixed, 4}});
    const auto add = [&](std::size_t model, std::size_t seed, double from, double to,
                         const text::TranslationCounts& counts) {
        csv.add({static_cast<double>(model), static_cast<double>(frame.options.seed + seed),
                 from, to, counts.exact_match(), 100 * counts.bleu(), counts.token_accuracy(),
                 counts.tokens.cross_entropy()});
    };
    for (std::size_t model = 0; model < trials.size(); ++model) {
        for (std::size_t seed = 0; seed < trials[model].size(); ++seed) {
            const text::CountsByLength& counts = trials[model][seed].counts;
            for (const text::BucketCounts& bucket : counts.buckets) {
                add(model, seed, static_cast<double>(bucket.bucket.shortest),
                    static_cast<double>(bucket.bucket.longest), bucket.counts);
            }
            add(model, seed, 0, 0, counts.all); // 0 to 0: all lengths
        }
    }
    frame.files.write_csv("trained_lengths.csv", csv.columns());

    std::vector<double> middles;
    for (const text::LengthBucket& bucket : buckets) {
        middles.push_back(0.5 * static_cast<double>(bucket.shortest + bucket.longest));
    }
    CsvColumns curves;
    curves.add("length", middles, significant, 4).add("power", reference, fixed, 4);
    for (std::size_t model = 0; model < trials.size(); ++model) {
        for (const bool bleu : {false, true}) {
            std::vector<std::vector<double>> numbers(3); // lowest, median, highest
            for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
                const Spread all = of(trials[model], [&](const Trial& trial) {
                    return (bleu ? bleu_of : exact_of)(counts_of(trial, bucket));
                });
                numbers[0].push_back(all.lowest());
                numbers[1].push_back(all.median());
                numbers[2].push_back(all.highest());
            }
            const std::string name = column_of(models()[model]) + (bleu ? "_bleu" : "_exact");
            curves.add(name, numbers[1], fixed, 4)
                .add(name + "_lowest", numbers[0], fixed, 4)
                .add(name + "_highest", numbers[2], fixed, 4);
        }
    }
    frame.files.write_csv("trained_curves.csv", curves);
}

/// The losses of the first seed's models, as means of twenty steps, beside those of the rules;
/// and the first losses as they are.
void keep_losses(Frame& frame, const Trials& trials, const TranslationTask& task)
{
    const std::size_t n_mean = std::min<std::size_t>(20, trials[0][0].losses.size());
    const std::size_t n_points = trials[0][0].losses.size() / n_mean;
    std::vector<double> steps;
    for (std::size_t point = 0; point < n_points; ++point) {
        steps.push_back(static_cast<double>((point + 1) * n_mean));
    }
    CsvColumns curves;
    CsvColumns first;
    curves.add("step", steps, significant, 6);
    for (const Rule& rule : {frequent_words(task.train, task.target.size()),
                             frequent_pairs(task.train, task.target.size())}) {
        curves.add(rule.name == "words counted" ? "words" : "pairs",
                   std::vector<double>(n_points, scores_of(rule, task.test).cross_entropy()),
                   fixed, 4);
    }
    for (std::size_t model = 0; model < trials.size(); ++model) {
        const std::vector<double>& losses = trials[model][0].losses;
        std::vector<double> means;
        for (std::size_t point = 0; point < n_points; ++point) {
            const auto from = losses.begin() + static_cast<std::ptrdiff_t>(point * n_mean);
            means.push_back(
                std::accumulate(from, from + static_cast<std::ptrdiff_t>(n_mean), 0.0) /
                static_cast<double>(n_mean));
        }
        curves.add(column_of(models()[model]), means, fixed, 4);
        const auto n = static_cast<std::ptrdiff_t>(std::min(n_mean, losses.size()));
        first.add(column_of(models()[model]),
                  std::vector<double>(losses.begin(), losses.begin() + n), significant, 7);
    }
    frame.files.write_csv("trained_learning.csv", curves);
    frame.files.write_csv("trained_losses.csv", first);
}

} // namespace

void bottleneck(Frame& frame, const TranslationTask& task, const Settings& settings)
{
    const Trials trials = try_all(frame, task, settings);
    frame.terminal.introduce(
        "One vector for a sentence",
        "Trained for {} steps of 32 sentences, {} of each model; on the test set. "
        "Size: numbers that are learnt. Perplexity, and right, the share of words: with "
        "the "
        "right words before (medians). Exact match: the share of sentences that are "
        "translated word by word as the reference. Lowest, median and highest.",
        trials[0][0].losses.size(), trials[0].size());
    overall(frame, trials);

    frame.terminal.introduce(
        "Exact match and BLEU by the length of the source",
        "Medians over seeds; n sentences. p^L: what exact match would be if every word were "
        "right with the same probability, the first model's share of words right.");
    const std::vector<double> reference = reference_of(trials);
    frame.terminal.line("exact match");
    by_length(frame, trials, exact_of, 3, "p^L", reference);
    frame.terminal.line();
    frame.terminal.line("BLEU");
    by_length(frame, trials, bleu_of, 1, "", {});
    keep_lengths(frame, trials, reference);
    keep_losses(frame, trials, task);

    forced_and_free(frame, trials[0]);
    searches(frame, trials[0]);

    frame.terminal.introduce(
        "Some translations",
        "By the GRU with the last state: the first sentence of the test set of each of some "
        "lengths.");
    show_translations(frame, task.pairs.test, trials[0][0].judgement, {4, 8, 12, 18, 26});
}

} // namespace attn::seq2seq::report
