#include "chapters/07_seq2seq/experiments/report.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/spread.hpp"
#include "common/program/terminal.hpp"
#include "common/translation/report_evaluation.hpp"
#include "common/translation/trivial_rules.hpp"

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

AllTrained train_all(const Frame& frame, const TranslationTask& task,
                     const Trainings& trainings)
{
    const std::size_t n_seeds = frame.options.quick ? 1 : trainings.n_seeds;
    TrainingOptions options;
    options.n_steps = trainings.n_steps.value_or(chapters_steps);
    if (frame.options.quick) {
        options.n_steps = std::min<std::size_t>(options.n_steps, 20);
    }
    AllTrained all(models().size(), std::vector<TrainedModel>(n_seeds));
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
                                 all[model][index % n_seeds] =
                                     try_model(models()[model], task, own, model == 0, observe);
                             });
    return all;
}

namespace {

using OfModel = std::vector<TrainedModel>; // [n_seeds]

/// One number of each seed.
template <typename Number>
Spread of(const OfModel& trained, Number number)
{
    return program::spread(trained, number);
}

const text::TranslationCounts& counts_of(const TrainedModel& one, std::size_t bucket)
{
    return one.counts.buckets[bucket].counts;
}

const text::TranslationCounts& all_of(const TrainedModel& one)
{
    return one.counts.all;
}

double exact_of(const text::TranslationCounts& counts)
{
    return counts.exact_match();
}

double bleu_of(const text::TranslationCounts& counts)
{
    return 100 * counts.bleu();
}

/// All models, all lengths together.
void overall(Frame& frame, const AllTrained& trained)
{
    program::Table table({"model", "size", "perplexity", "right", "exact match", "BLEU"});
    for (std::size_t model = 0; model < trained.size(); ++model) {
        const OfModel& of_model = trained[model];
        table.row(
            {models()[model].name, std::to_string(of_model.front().n_parameters),
             fixed(of(of_model,
                      [](const TrainedModel& one) { return all_of(one).tokens.perplexity(); })
                       .median(),
                   2),
             fixed(of(of_model,
                      [](const TrainedModel& one) { return all_of(one).token_accuracy(); })
                       .median(),
                   3),
             of(of_model, [](const TrainedModel& one) { return all_of(one).exact_match(); })
                 .text(3),
             of(of_model, [](const TrainedModel& one) {
                 return 100 * all_of(one).bleu();
             }).text(1)});
    }
    frame.terminal.table(table);
}

/// A row a bucket, a column a model, and one more column.
template <typename Number>
void by_length(Frame& frame, const AllTrained& trained, Number number, int decimals,
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
            std::to_string(counts_of(trained[0][0], bucket).n_sentences)};
        for (const OfModel& of_model : trained) {
            row.push_back(fixed(
                of(of_model,
                   [&](const TrainedModel& one) { return number(counts_of(one, bucket)); })
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
std::vector<double> reference_of(const AllTrained& trained)
{
    const double p = of(trained[0], [](const TrainedModel& one) {
                         return all_of(one).token_accuracy();
                     }).median();
    std::vector<double> numbers;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        numbers.push_back(right_by_chance(trained[0][0].evaluation.translations, bucket, p));
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
void save_lengths(Frame& frame, const AllTrained& trained, const std::vector<double>& reference)
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
    for (std::size_t model = 0; model < trained.size(); ++model) {
        for (std::size_t seed = 0; seed < trained[model].size(); ++seed) {
            const text::CountsByLength& counts = trained[model][seed].counts;
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
    for (std::size_t model = 0; model < trained.size(); ++model) {
        for (const bool bleu : {false, true}) {
            std::vector<std::vector<double>> numbers(3); // lowest, median, highest
            for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
                const Spread all = of(trained[model], [&](const TrainedModel& one) {
                    return (bleu ? bleu_of : exact_of)(counts_of(one, bucket));
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
void save_losses(Frame& frame, const AllTrained& trained, const TranslationTask& task)
{
    const std::size_t n_mean = std::min<std::size_t>(20, trained[0][0].losses.size());
    const std::size_t n_points = trained[0][0].losses.size() / n_mean;
    std::vector<double> steps;
    for (std::size_t point = 0; point < n_points; ++point) {
        steps.push_back(static_cast<double>((point + 1) * n_mean));
    }
    CsvColumns curves;
    CsvColumns first;
    curves.add("step", steps, significant, 6);
    for (const translation::Rule& rule :
         {translation::frequent_words(task.train, task.target.size()),
          translation::frequent_pairs(task.train, task.target.size())}) {
        curves.add(rule.name == "words counted" ? "words" : "pairs",
                   std::vector<double>(n_points,
                                       translation::scores_of(rule, task.test).cross_entropy()),
                   fixed, 4);
    }
    for (std::size_t model = 0; model < trained.size(); ++model) {
        const std::vector<double>& losses = trained[model][0].losses;
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

/// Words that are right with the right words before them, and with the model's own.
void forced_and_free(Frame& frame, const OfModel& trained)
{
    frame.terminal.introduce(
        "Forced and free",
        "The GRU with the last state (medians over seeds). Forced: each word is foretold after "
        "the right words before it. Free: after the words that the model wrote itself, greedy; "
        "counted is whether the same word stands at the same place. Ends count as words.");
    program::Table table(
        {"words", "right, forced", "right, free", "all right, forced", "exact match, free"});
    program::CsvRows csv({{"shortest", significant, 3},
                          {"forced", fixed, 4},
                          {"free", fixed, 4},
                          {"all_forced", fixed, 4},
                          {"exact", fixed, 4}});
    std::vector<text::LengthBucket> buckets = text::length_buckets();
    buckets.push_back({buckets.front().shortest, buckets.back().longest});
    for (std::size_t index = 0; index < buckets.size(); ++index) {
        const text::LengthBucket bucket = buckets[index];
        const auto counted = [&](auto number) {
            return of(trained,
                      [&](const TrainedModel& one) {
                          return number(index + 1 == buckets.size() ? all_of(one)
                                                                    : counts_of(one, index));
                      })
                .median();
        };
        const auto looked_at = [&](auto number) {
            return of(trained,
                      [&](const TrainedModel& one) {
                          return number(of_bucket(one.evaluation.translations, bucket));
                      })
                .median();
        };
        const std::vector<double> row = {
            static_cast<double>(bucket.shortest),
            counted([](const text::TranslationCounts& some) { return some.token_accuracy(); }),
            looked_at(right_positions), looked_at(all_words_right), counted(exact_of)};
        table.row({bucket.name(), fixed(row[1], 3), fixed(row[2], 3), fixed(row[3], 3),
                   fixed(row[4], 3)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_forced.csv", csv.columns());
}

/// What greedy and beam search find.
void searches(Frame& frame, const OfModel& trained)
{
    frame.terminal.introduce(
        "Greedy and beam search",
        "The GRU with the last state on the test set (medians over seeds). log p is the mean "
        "log-probability of the sentence that was found. The penalty is Google's, with alpha.");
    program::Table table({"beam", "alpha", "exact match", "BLEU", "log p", "mean words"});
    program::CsvRows csv({{"beam", significant, 3},
                          {"alpha", significant, 3},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2},
                          {"log_p", fixed, 3},
                          {"words", fixed, 3}});
    for (std::size_t i = 0; i < trained[0].searches.size(); ++i) {
        const auto median = [&](auto number) {
            return of(trained, [&](const TrainedModel& one) { return number(one.searches[i]); })
                .median();
        };
        const SearchResult& first = trained[0].searches[i];
        const std::vector<double> row = {
            static_cast<double>(first.width),
            first.alpha,
            median([](const SearchResult& found) { return found.counts.exact_match(); }),
            median([](const SearchResult& found) { return 100 * found.counts.bleu(); }),
            median([](const SearchResult& found) { return found.mean_log_probability; }),
            median([](const SearchResult& found) { return found.mean_length; })};
        table.row({fixed(row[0], 0), fixed(row[1], 0), fixed(row[2], 3), fixed(row[3], 1),
                   fixed(row[4], 2), fixed(row[5], 2)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_searches.csv", csv.columns());
}

} // namespace

void bottleneck(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    frame.terminal.introduce(
        "One vector for a sentence",
        "Trained for {} steps of 32 sentences, {} of each model; on the test set. "
        "Size: numbers that are learnt. Perplexity, and right, the share of words: with "
        "the "
        "right words before (medians). Exact match: the share of sentences that are "
        "translated word by word as the reference. Lowest, median and highest.",
        trained[0][0].losses.size(), trained[0].size());
    overall(frame, trained);

    frame.terminal.introduce(
        "Exact match and BLEU by the length of the source",
        "Medians over seeds; n sentences. p^L: what exact match would be if every word were "
        "right with the same probability, the first model's share of words right.");
    const std::vector<double> reference = reference_of(trained);
    frame.terminal.line("exact match");
    by_length(frame, trained, exact_of, 3, "p^L", reference);
    frame.terminal.line();
    frame.terminal.line("BLEU");
    by_length(frame, trained, bleu_of, 1, "", {});
    save_lengths(frame, trained, reference);
    save_losses(frame, trained, task);

    forced_and_free(frame, trained[0]);
    searches(frame, trained[0]);

    frame.terminal.introduce(
        "Some translations",
        "By the GRU with the last state: the first sentence of the test set of each of some "
        "lengths.");
    translation::report::show_translations(frame, task.pairs.test, trained[0][0].evaluation,
                                           {4, 8, 12, 18, 26});
}

} // namespace attn::seq2seq::report
