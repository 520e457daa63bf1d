/// \file
/// \brief The bodies of train_all(), quality() and lengths() of report.hpp.
#include "chapters/07_seq2seq/trivial_rules.hpp"
#include "chapters/08_bahdanau/report_lengths.hpp"
#include "chapters/08_bahdanau/report_measures.hpp"
#include "chapters/12_transformer/copy_task.hpp"
#include "chapters/12_transformer/experiments/report.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/text/trivial_aligners.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace attn::transformer::report {

using bahdanau::report::spread_of;
using program::fixed;
using program::Frame;
using program::side_by_side;
using program::significant;

// ---------------------------------------------------------------- a first sign of life

void copying(Frame& frame)
{
    frame.terminal.introduce(
        "A first sign of life",
        "Sentences of ten random symbols out of ten are to be copied, by one layer each of 32 "
        "numbers and two heads. Symbols right, sentences copied without a mistake, and the "
        "mean weight of both heads on the symbol that is copied, on 200 new sentences. By "
        "chance one symbol in ten is right.");
    const std::vector<std::size_t> steps = frame.options.quick
                                               ? std::vector<std::size_t>{1, 2, 4, 8}
                                               : std::vector<std::size_t>{50, 100, 200, 400};
    std::vector<std::optional<CopyTrial>> trials(steps.size());
    parallel::for_each_index(steps.size(), frame.options.threads, [&](std::size_t i) {
        trials[i] = try_copying({.n_steps = steps[i], .seed = frame.options.seed});
    });
    program::Table table({"steps", "last loss", "symbols right", "copied", "on its place"});
    program::CsvRows csv({{"steps", significant, 6},
                          {"words", fixed, 4},
                          {"exact", fixed, 4},
                          {"on_place", fixed, 4}});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const CopyTrial& trial = *trials[i];
        table.row({std::to_string(steps[i]), fixed(trial.losses.back(), 3),
                   fixed(trial.words, 3), fixed(trial.exact, 3), fixed(trial.on_place, 2)});
        csv.add({static_cast<double>(steps[i]), trial.words, trial.exact, trial.on_place});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_copying.csv", csv.columns());
}

// ---------------------------------------------------------------- all trainings

namespace {

constexpr std::size_t longest_of_brief = 15; // source words

/// A place for each seed of each variant.
using Places = std::vector<std::vector<std::optional<Trial>>>;

Places places_for(std::size_t n_variants, std::size_t n_seeds)
{
    return Places(n_variants, std::vector<std::optional<Trial>>(n_seeds));
}

template <typename Result>
std::vector<Result> filled_places(std::vector<std::optional<Result>>& places)
{
    std::vector<Result> results;
    for (std::optional<Result>& one : places) {
        results.push_back(std::move(*one));
    }
    return results;
}

std::vector<TrialsOfVariant> filled_places(Places& places)
{
    std::vector<TrialsOfVariant> all;
    for (std::vector<std::optional<Trial>>& one : places) {
        all.push_back(filled_places(one));
    }
    return all;
}

} // namespace

Trials train_all(const Frame& frame, const TranslationTask& task, const Settings& settings)
{
    const bool quick = frame.options.quick;
    const std::size_t n_seeds = quick ? 1 : settings.n_seeds;
    TranslationTask short_task = seq2seq::grammar_task(
        frame.options.seed, {.train = quick ? quick_train : text::CorpusSizes().train,
                             .longest_train = longest_of_brief});
    short_task.max_length = task.max_length; // it may write as much as the others
    Trials trials;
    trials.part =
        bahdanau::every_nth(task.pairs.test, task.test, quick ? 60 : settings.judged_every());
    trials.validation =
        bahdanau::every_nth(task.pairs.validation, task.validation, quick ? 60 : 2);
    const JudgedPart brief_part = {
        trials.part.pairs,
        text::numbered_pairs(trials.part.pairs, short_task.source, short_task.target)};

    Places of_ablations = places_for(ablations().size(), n_seeds);
    Places of_norms = places_for(norm_variants().size(), n_seeds);
    std::vector<std::optional<Trial>> of_brief(n_seeds);
    std::vector<std::optional<bahdanau::Trial>> of_recurrent(n_seeds);
    std::vector<std::function<void()>> jobs;
    const auto options_of_seed = [&](std::size_t seed, std::size_t n_steps) {
        LearningOptions options;
        options.n_steps = quick ? 4 : n_steps;
        options.seed = frame.options.seed + seed;
        options.look_every = 0;
        return options;
    };
    const std::size_t n_steps = settings.steps();
    for (std::size_t seed = 0; seed < n_seeds; ++seed) {
        const LearningOptions options = options_of_seed(seed, n_steps);
        for (std::size_t v = 0; v < ablations().size(); ++v) {
            jobs.emplace_back([&, options, v, seed] {
                of_ablations[v][seed] = try_variant(ablations()[v], task, trials.part, options);
            });
        }
        const LearningOptions short_options = options_of_seed(seed, settings.norm_steps());
        for (std::size_t v = 0; v < norm_variants().size(); ++v) {
            jobs.emplace_back([&, short_options, v, seed] {
                of_norms[v][seed] =
                    try_variant(norm_variants()[v], task, trials.part, short_options);
            });
        }
        jobs.emplace_back([&, options, seed] {
            of_brief[seed] = try_variant(ablations()[0], short_task, brief_part, options);
        });
        jobs.emplace_back([&, options, seed] {
            of_recurrent[seed] = bahdanau::try_kind(bahdanau::kind_named("additive_before"),
                                                    task, trials.part, options);
        });
    }
    side_by_side(frame, "transformers", jobs.size(), [&](std::size_t index) { jobs[index](); });
    trials.ablations = filled_places(of_ablations);
    trials.norms = filled_places(of_norms);
    trials.brief = filled_places(of_brief);
    trials.recurrent = filled_places(of_recurrent);
    trials.heads.resize(n_seeds);
    parallel::for_each_index(n_seeds, frame.options.threads, [&](std::size_t seed) {
        trials.heads[seed] = measure_heads(trials.ablations[0][seed].learnt.transformer,
                                           trials.validation, trials.part);
    });
    return trials;
}

// ---------------------------------------------------------------- quality

std::vector<Measures> measures_of(const TrialsOfVariant& trials)
{
    std::vector<Measures> all;
    for (const Trial& trial : trials) {
        all.push_back(trial.measures);
    }
    return all;
}

namespace {

void keep_quality(Frame& frame, const std::vector<Measures>& whole,
                  const std::vector<Measures>& recurrent)
{
    program::CsvRows csv({{"transformer", fixed, 0},
                          {"seed", fixed, 0},
                          {"tokens", fixed, 4},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2},
                          {"alignment_error", fixed, 4},
                          {"on_sure", fixed, 4},
                          {"on_sure_or_possible", fixed, 4}});
    for (const bool is_whole : {true, false}) {
        const std::vector<Measures>& all = is_whole ? whole : recurrent;
        for (std::size_t seed = 0; seed < all.size(); ++seed) {
            csv.add({is_whole ? 1.0 : 0.0, static_cast<double>(seed), all[seed].tokens,
                     all[seed].exact, 100 * all[seed].bleu, all[seed].alignment_error,
                     all[seed].on_sure, all[seed].on_sure_or_possible});
        }
    }
    frame.files.write_csv("trained_quality.csv", csv.columns());
}

} // namespace

void quality(Frame& frame, const TranslationTask& task, const Trials& trials)
{
    frame.terminal.introduce(
        "The transformer, whole",
        "Beside Bahdanau's model of chapter 8 and the best rule that learns nothing but "
        "counts: the next word from the one before it. AER: of the mean of the heads, and of "
        "the diagonal. Lowest, median and highest of the seeds.");
    const std::vector<Measures> whole = measures_of(trials.ablations[0]);
    std::vector<Measures> recurrent;
    for (const bahdanau::Trial& trial : trials.recurrent) {
        recurrent.push_back(bahdanau::measures_of(trial.judgement, trials.part.pairs, true));
    }
    program::Table table({"model", "parameters", "words right", "exact match", "BLEU", "AER"});
    const auto row = [&](const char* name, std::size_t n, const std::vector<Measures>& all) {
        table.row({name, std::to_string(n),
                   fixed(spread_of(all, &Measures::tokens).median(), 3),
                   spread_of(all, &Measures::exact).text(3),
                   spread_of(all, &Measures::bleu, 100).text(1),
                   spread_of(all, &Measures::alignment_error).text(3)});
    };
    row("transformer", trials.ablations[0].front().learnt.transformer.parameters().n_numbers(),
        whole);
    row("Bahdanau's", trials.recurrent.front().learnt.translator.parameters().n_numbers(),
        recurrent);
    const seq2seq::Rule rule = seq2seq::frequent_pairs(task.train, task.target.size());
    const double diagonal =
        text::alignment_counts(text::trivial_aligners()[1], trials.part.pairs).error();
    table.row({"no training", "0",
               fixed(seq2seq::scores_of(rule, trials.part.numbered).accuracy(), 3), "", "",
               fixed(diagonal, 3)});
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.line(fmt::format("Test sentences judged: {}.", trials.part.pairs.size()));
    keep_quality(frame, whole, recurrent);

    frame.files.write_csv("trained_first_losses.csv",
                          program::CsvColumns().add(
                              "whole",
                              program::first_losses(trials.ablations[0].front().learnt.losses),
                              significant, 6));
}

void lengths(Frame& frame, const Trials& trials)
{
    frame.terminal.introduce(
        "Quality against length",
        "By the number of words in the source, medians of the seeds. The third learns from as "
        "many sentences, none of them longer than 15 words.");
    const std::vector<bahdanau::report::CountsOfModel> models = {
        bahdanau::report::counts_of("transformer", "whole", trials.ablations[0]),
        bahdanau::report::counts_of("Bahdanau's", "recurrent", trials.recurrent),
        bahdanau::report::counts_of("short only", "brief", trials.brief)};
    show_lengths(frame, models, true);
    frame.terminal.line();
    show_lengths(frame, models, false);
    keep_lengths(frame, "trained_lengths.csv", models);
}

} // namespace attn::transformer::report
