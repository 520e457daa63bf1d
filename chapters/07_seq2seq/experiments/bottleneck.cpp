#include "chapters/07_seq2seq/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"
#include "common/text/share.hpp"
#include "common/translation/training.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace attn::seq2seq {

using program::CsvColumns;
using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;
using text::TranslationCounts;

const std::vector<Model>& models()
{
    static const std::vector<Model> list = {
        {"GRU, last state", Unit::gru, last_state<float>},
        {"GRU, mean", Unit::gru, mean_state<float>},
        {"GRU, maximum", Unit::gru, largest_numbers<float>},
        {"LSTM, last state", Unit::lstm, last_state<float>}};
    return list;
}

Translator<float> translator_of(const Model& model, const TranslationTask& task,
                                std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::bottleneck_parameters);
    TranslatorOptions options{task.source.size(), task.target.size()};
    options.unit = model.unit;
    return {options, model.context(), generator};
}

namespace {

std::vector<std::uint64_t> seeds_of_models(const Frame& frame, std::size_t n_seeds)
{
    std::vector<std::uint64_t> seeds(frame.options.quick ? 1 : n_seeds);
    std::iota(seeds.begin(), seeds.end(), frame.options.seed);
    return seeds;
}

std::size_t usual_steps(const Frame& frame, std::optional<std::size_t> n_steps)
{
    const std::size_t n = n_steps.value_or(chapters_steps);
    return frame.options.quick ? std::min<std::size_t>(n, 20) : n;
}

TrainedModel train_one(const Model& model, const TranslationTask& task, std::size_t n_steps,
                       std::uint64_t seed)
{
    TrainedModel trained{translator_of(model, task, seed), {}, {}, {}};
    const translation::TranslationModel seen = model_of(trained.translator);
    trained.losses = translation::train(seen, task.train, {.n_steps = n_steps, .seed = seed},
                                        {.show_progress = false});
    trained.evaluation = translation::evaluate(seen, task, {task.pairs.test, task.test});
    trained.counts = text::counts_by_length(trained.evaluation.translations);
    return trained;
}

/// A training with more steps than the usual ones.
struct LongerTraining
{
    const char* name;    ///< in the file
    std::size_t model;   ///< of models()
    std::size_t n_times; ///< as many steps as the others
};

const std::vector<LongerTraining>& longer_trainings()
{
    static const std::vector<LongerTraining> list = {{"last state, times 4", 0, 4},
                                                     {"mean, times 4", 1, 4},
                                                     {"last state, times 10", 0, 10}};
    return list;
}

} // namespace

std::vector<SeedsOfModel> train_all(const Frame& frame, const TranslationTask& task,
                                    std::optional<std::size_t> n_steps, std::size_t n_seeds)
{
    return program::run_rows_with_seeds(
        frame, "training", models().size(), seeds_of_models(frame, n_seeds),
        [&](std::size_t row, std::uint64_t seed) {
            return train_one(models()[row], task, usual_steps(frame, n_steps), seed);
        });
}

std::vector<SeedsOfModel> train_longer(const Frame& frame, const TranslationTask& task,
                                       std::optional<std::size_t> n_steps, std::size_t n_seeds)
{
    return program::run_rows_with_seeds(
        frame, "longer training", longer_trainings().size(), seeds_of_models(frame, n_seeds),
        [&](std::size_t row, std::uint64_t seed) {
            const LongerTraining& how = longer_trainings()[row];
            return train_one(models()[how.model], task,
                             how.n_times * usual_steps(frame, n_steps), seed);
        });
}

double right_by_chance(const std::vector<text::EvaluatedTranslation>& translations,
                       const text::LengthBucket& bucket, double p)
{
    double sum = 0;
    double n = 0;
    for (const text::EvaluatedTranslation& translation : translations) {
        if (bucket.holds(translation.source_length)) {
            sum += elementary::power(
                p, static_cast<std::int64_t>(translation.reference.size()) + 1);
            n += 1;
        }
    }
    return text::share_of(sum, n);
}

namespace {

/// A measure of the translations of one bucket of lengths, seed by seed.
template <typename Measure>
Spread of_bucket(const SeedsOfModel& trained, std::size_t bucket, Measure measure)
{
    return program::spread(trained, [&](const TrainedModel& one) {
        return std::invoke(measure, one.counts.buckets[bucket].counts);
    });
}

double bleu_of(const TranslationCounts& counts)
{
    return 100 * counts.bleu();
}

/// The same model of several seeds, with its name.
struct Named
{
    std::string name;            ///< of the model, or of its training
    const SeedsOfModel* trained; ///< its seeds
};

/// All models of the chapter, with their names.
std::vector<Named> named(const std::vector<SeedsOfModel>& trained)
{
    std::vector<Named> all;
    for (std::size_t model = 0; model < trained.size(); ++model) {
        all.push_back({models()[model].name, &trained[model]});
    }
    return all;
}

/// All models, all lengths together.
void show_overall(Frame& frame, const std::vector<Named>& all)
{
    program::Table table({"model", "size", "perplexity", "right", "exact match", "BLEU"});
    for (const auto& [name, trained] : all) {
        const auto of_all = [&seeds = *trained](auto measure) {
            return program::spread(seeds, [&](const TrainedModel& one) {
                return std::invoke(measure, one.counts.all);
            });
        };
        const auto perplexity = [](const TranslationCounts& counts) {
            return counts.tokens.perplexity();
        };
        table.row({name, std::to_string(trained->front().translator.parameters().n_numbers()),
                   fixed(of_all(perplexity).median(), 2),
                   fixed(of_all(&TranslationCounts::token_accuracy).median(), 3),
                   of_all(&TranslationCounts::exact_match).text(3), of_all(bleu_of).text(1)});
    }
    frame.terminal.table(table);
}

/// A row a bucket, a column a model, and one more column.
template <typename Measure>
void show_by_length(Frame& frame, const std::vector<Named>& all, Measure measure, int decimals,
                    const std::string& last_name, const std::vector<double>& last)
{
    std::vector<std::string> header = {"words", "n"};
    for (const Named& one : all) {
        header.push_back(one.name);
    }
    if (!last.empty()) {
        header.push_back(last_name);
    }
    program::Table table(header);
    const std::vector<text::BucketCounts>& buckets = all[0].trained->front().counts.buckets;
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
        std::vector<std::string> row = {buckets[bucket].bucket.name(),
                                        std::to_string(buckets[bucket].counts.n_sentences)};
        for (const Named& one : all) {
            row.push_back(fixed(of_bucket(*one.trained, bucket, measure).median(), decimals));
        }
        if (!last.empty()) {
            row.push_back(fixed(last[bucket], decimals));
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

/// p^L of each bucket, with the first model's share of words right as p.
std::vector<double> powers_of(const SeedsOfModel& trained)
{
    const double p = program::spread(trained, [](const TrainedModel& one) {
                         return one.counts.all.token_accuracy();
                     }).median();
    std::vector<double> numbers;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        numbers.push_back(right_by_chance(trained[0].evaluation.translations, bucket, p));
    }
    return numbers;
}

/// A line for each of some trainings, seed and bucket.
/// \param key  the first column's name: it has the trainings' names
void save_lengths(Frame& frame, const std::string& file, const std::string& key,
                  const std::vector<Named>& all)
{
    program::Results results({key}, {{"seed", significant, 12},
                                     {"shortest", significant, 3},
                                     {"longest", significant, 3},
                                     {"exact", fixed, 4},
                                     {"bleu", fixed, 2},
                                     {"words_right", fixed, 4},
                                     {"loss", fixed, 4}});
    for (const auto& [name, trained] : all) {
        for (std::size_t seed = 0; seed < trained->size(); ++seed) {
            const text::CountsByLength& counts = (*trained)[seed].counts;
            std::vector<text::BucketCounts> rows = counts.buckets;
            rows.push_back({{0, 0}, counts.all}); // 0 to 0: all lengths
            for (const auto& [bucket, some] : rows) {
                results.add({name}, {static_cast<double>(frame.options.seed + seed),
                                     static_cast<double>(bucket.shortest),
                                     static_cast<double>(bucket.longest), some.exact_match(),
                                     bleu_of(some), some.token_accuracy(),
                                     some.tokens.cross_entropy()});
            }
        }
    }
    frame.files.write_csv(file, results.columns());
}

/// The middle of each bucket of lengths.
std::vector<double> middles()
{
    std::vector<double> lengths;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        lengths.push_back(0.5 * static_cast<double>(bucket.shortest + bucket.longest));
    }
    return lengths;
}

/// A measure by length, of each bucket the spread over the seeds.
template <typename Measure>
std::vector<Spread> spreads_by_length(const SeedsOfModel& seeds, Measure measure)
{
    std::vector<Spread> spreads;
    for (std::size_t bucket = 0; bucket < text::length_buckets().size(); ++bucket) {
        spreads.push_back(of_bucket(seeds, bucket, measure));
    }
    return spreads;
}

/// What the figure draws: lowest, median and highest of the seeds by the middle of each bucket.
void save_curves(Frame& frame, const std::vector<SeedsOfModel>& trained,
                 const std::vector<double>& powers)
{
    CsvColumns curves;
    curves.add("length", middles(), significant, 4).add("power", powers, fixed, 4);
    const auto add = [&](const SeedsOfModel& seeds, const std::string& name, auto measure) {
        std::vector<std::vector<double>> numbers(3); // lowest, median, highest
        for (const Spread& spread : spreads_by_length(seeds, measure)) {
            numbers[0].push_back(spread.lowest());
            numbers[1].push_back(spread.median());
            numbers[2].push_back(spread.highest());
        }
        curves.add(name, numbers[1], fixed, 4)
            .add(name + "_lowest", numbers[0], fixed, 4)
            .add(name + "_highest", numbers[2], fixed, 4);
    };
    for (std::size_t model = 0; model < trained.size(); ++model) {
        const std::string name = program::column_name(models()[model].name);
        add(trained[model], name + "_exact", &TranslationCounts::exact_match);
        add(trained[model], name + "_bleu", bleu_of);
    }
    frame.files.write_csv("trained_curves.csv", curves);
}

/// The losses of the first seed's models, as means of twenty steps, beside those of the rules;
/// and the first losses as they are.
void save_losses(Frame& frame, const std::vector<SeedsOfModel>& trained,
                 const TranslationTask& task)
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
        curves.add(program::column_name(models()[model].name), means, fixed, 4);
        const auto n = static_cast<std::ptrdiff_t>(std::min(n_mean, losses.size()));
        first.add(program::column_name(models()[model].name),
                  std::vector<double>(losses.begin(), losses.begin() + n), significant, 7);
    }
    frame.files.write_csv("trained_learning.csv", curves);
    frame.files.write_csv("trained_losses.csv", first);
}

} // namespace

void show_bottleneck(Frame& frame, const TranslationTask& task,
                     const std::vector<SeedsOfModel>& trained)
{
    frame.terminal.introduce(
        "One vector for a sentence",
        "Trained for {} steps of 32 sentences, {} of each model; on the test set. "
        "Size: numbers that are learnt. Perplexity, and right, the share of words: with "
        "the "
        "right words before (medians). Exact match: the share of sentences that are "
        "translated word by word as the reference. Lowest, median and highest.",
        trained[0][0].losses.size(), trained[0].size());
    show_overall(frame, named(trained));

    frame.terminal.introduce(
        "Exact match and BLEU by the length of the source",
        "Medians over seeds; n sentences. p^L: what exact match would be if every word were "
        "right with the same probability, the first model's share of words right.");
    const std::vector<double> powers = powers_of(trained[0]);
    frame.terminal.line("exact match");
    show_by_length(frame, named(trained), &TranslationCounts::exact_match, 3, "p^L", powers);
    frame.terminal.line();
    frame.terminal.line("BLEU");
    show_by_length(frame, named(trained), bleu_of, 1, "", {});
    save_lengths(frame, "trained_lengths.csv", "model", named(trained));
    save_curves(frame, trained, powers);
    save_losses(frame, trained, task);
}

namespace {

/// The usual trainings of the models that are also trained longer, and the longer ones: those of
/// the same model together, the shortest first.
std::vector<Named> by_steps(const std::vector<SeedsOfModel>& trained,
                            const std::vector<SeedsOfModel>& longer)
{
    std::vector<Named> all;
    const auto add = [&](const char* name, const SeedsOfModel& seeds) {
        all.push_back({fmt::format(fmt::runtime(name), seeds.front().losses.size()), &seeds});
    };
    for (const auto& [model, name] : {std::pair{0U, "{} steps"}, {1U, "mean, {}"}}) {
        add(name, trained[model]);
        for (std::size_t row = 0; row < longer.size(); ++row) {
            if (longer_trainings()[row].model == model) {
                add(name, longer[row]);
            }
        }
    }
    return all;
}

/// The longer trainings with their names in the file.
std::vector<Named> named_longer(const std::vector<SeedsOfModel>& longer)
{
    std::vector<Named> all;
    for (std::size_t row = 0; row < longer.size(); ++row) {
        all.push_back({longer_trainings()[row].name, &longer[row]});
    }
    return all;
}

/// What the figure draws of a measure: lowest, median and highest of each training, by length.
template <typename Measure>
void save_measure(Frame& frame, const std::string& file, const std::vector<Named>& all,
                  Measure measure)
{
    CsvColumns csv;
    csv.add("length", middles(), significant, 4);
    for (const Named& one : all) {
        std::string name = one.name;
        std::erase(name, ',');
        csv.add_spreads(name, spreads_by_length(*one.trained, measure), fixed, 4, " lowest",
                        " highest");
    }
    frame.files.write_csv(file, csv);
}

} // namespace

void show_longer(Frame& frame, const std::vector<SeedsOfModel>& trained,
                 const std::vector<SeedsOfModel>& longer)
{
    const std::vector<Named> all = by_steps(trained, longer);
    frame.terminal.introduce(
        "The same after longer trainings",
        "The GRU with the last state, and the one with the mean, by the steps of the training; "
        "each training's rate falls over its own steps. {} of each. The first table is of all "
        "lengths, as the one above; the others are medians by the length of the source.",
        longer.front().size());
    show_overall(frame, all);
    frame.terminal.line();
    frame.terminal.line("exact match");
    show_by_length(frame, all, &TranslationCounts::exact_match, 3, "", {});
    frame.terminal.line();
    frame.terminal.line("BLEU");
    show_by_length(frame, all, bleu_of, 1, "", {});
    save_lengths(frame, "trained_longer.csv", "training", named_longer(longer));
    save_measure(frame, "trained_longer_exact.csv", all, &TranslationCounts::exact_match);
    save_measure(frame, "trained_longer_bleu.csv", all, bleu_of);
}

} // namespace attn::seq2seq
