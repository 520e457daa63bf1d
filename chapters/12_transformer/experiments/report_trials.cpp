#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "chapters/12_transformer/experiments/copy_task.hpp"
#include "chapters/12_transformer/experiments/report.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/text/trivial_aligners.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/training.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace attn::transformer::report {

using program::fixed;
using program::Frame;
using program::side_by_side;
using program::significant;
using translation::report::spread_of;

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
    std::vector<std::optional<TrainedCopier>> trials(steps.size());
    parallel::for_each_index(steps.size(), frame.options.threads, [&](std::size_t i) {
        trials[i] = try_copying({.n_steps = steps[i], .seed = frame.options.seed});
    });
    program::Table table({"steps", "last loss", "symbols right", "copied", "on its place"});
    program::CsvRows csv({{"steps", significant, 6},
                          {"words", fixed, 4},
                          {"exact", fixed, 4},
                          {"on_place", fixed, 4}});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const TrainedCopier& trial = *trials[i];
        table.row({std::to_string(steps[i]), fixed(trial.losses.back(), 3),
                   fixed(trial.words, 3), fixed(trial.exact, 3), fixed(trial.on_place, 2)});
        csv.add({static_cast<double>(steps[i]), trial.words, trial.exact, trial.on_place});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_copying.csv", csv.columns());
}

// ---------------------------------------------------------------- all trainings

namespace {

/// Chapter 8's translator with Bahdanau's own score.
TrainedRecurrent try_recurrent(const TranslationTask& task, const EvaluationSet& set,
                               std::size_t n_steps, std::uint64_t seed)
{
    const bahdanau::AlignmentKind& kind = bahdanau::kind_named("additive_before");
    const seq2seq::Translator<float> translator = make_translator(kind, task, seed);
    const TranslationModel model = model_of(translator);
    translation::train(model, task.train,
                       {.n_steps = n_steps, .peak_rate = kind.peak_rate, .seed = seed},
                       {.label = kind.name, .show_progress = false});
    return {model.parameters.n_numbers(), translation::evaluate(model, task, set)};
}

} // namespace

AllTrained train_all(const Frame& frame, const TranslationTask& task,
                     const Trainings& trainings)
{
    const bool quick = frame.options.quick;
    const std::size_t n_seeds = quick ? 1 : trainings.n_seeds;
    const TranslationTask short_task = translation::short_task(
        task, frame.options.seed, quick ? quick_train : text::CorpusSizes().train);
    AllTrained trained;
    trained.set = translation::every_nth(task.pairs.test, task.test,
                                         quick ? 60 : trainings.evaluated_every());
    trained.validation =
        translation::every_nth(task.pairs.validation, task.validation, quick ? 60 : 2);
    const EvaluationSet short_set = translation::numbered_by(short_task, trained.set.pairs);

    // Each variant, then the whole on short sentences, then Bahdanau's model: a row each.
    std::vector<const Variant*> variants;
    for (const auto* table : {&ablations(), &norm_variants()}) {
        for (const Variant& variant : *table) {
            variants.push_back(&variant);
        }
    }
    const std::size_t n_variants = variants.size();
    const auto steps_of_row = [&](std::size_t row) {
        const bool of_norms = row >= ablations().size() && row < n_variants;
        return quick ? 4 : of_norms ? trainings.norm_steps() : trainings.steps();
    };
    std::vector<std::vector<std::optional<TrainedTransformer>>> found(
        n_variants + 1, std::vector<std::optional<TrainedTransformer>>(n_seeds));
    trained.recurrent.resize(n_seeds);
    side_by_side(frame, "transformers", (n_variants + 2) * n_seeds, [&](std::size_t index) {
        const std::size_t row = index % (n_variants + 2);
        const std::size_t i = index / (n_variants + 2);
        const std::uint64_t seed = frame.options.seed + i;
        if (row < n_variants) {
            found[row][i] =
                try_variant(*variants[row], task, trained.set, steps_of_row(row), seed);
        } else if (row == n_variants) {
            found[row][i] =
                try_variant(ablations()[0], short_task, short_set, steps_of_row(row), seed);
        } else {
            trained.recurrent[i] = try_recurrent(task, trained.set, steps_of_row(row), seed);
        }
    });
    const auto taken = [&](std::size_t row) {
        OfVariant of_variant;
        for (std::optional<TrainedTransformer>& one : found[row]) {
            of_variant.push_back(std::move(*one));
        }
        return of_variant;
    };
    for (std::size_t row = 0; row < n_variants; ++row) {
        (row < ablations().size() ? trained.ablations : trained.norms).push_back(taken(row));
    }
    trained.brief = taken(n_variants);
    trained.heads.resize(n_seeds);
    parallel::for_each_index(n_seeds, frame.options.threads, [&](std::size_t seed) {
        trained.heads[seed] = measure_heads(trained.ablations[0][seed].transformer,
                                            trained.validation, trained.set);
    });
    return trained;
}

// ---------------------------------------------------------------- quality

std::vector<Measures> measures_of(const OfVariant& of_variant)
{
    std::vector<Measures> all;
    for (const TrainedTransformer& one : of_variant) {
        all.push_back(one.measures);
    }
    return all;
}

namespace {

void save_quality(Frame& frame, const std::vector<Measures>& whole,
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

void quality(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    frame.terminal.introduce(
        "The transformer, whole",
        "Beside Bahdanau's model of chapter 8 and the best rule that learns nothing but "
        "counts: the next word from the one before it. AER: of the mean of the heads, and of "
        "the diagonal. Lowest, median and highest of the seeds.");
    const std::vector<Measures> whole = measures_of(trained.ablations[0]);
    std::vector<Measures> recurrent;
    for (const TrainedRecurrent& one : trained.recurrent) {
        recurrent.push_back(translation::measures_of(one.evaluation, trained.set.pairs, true));
    }
    program::Table table({"model", "parameters", "words right", "exact match", "BLEU", "AER"});
    const auto row = [&](const char* name, std::size_t n, const std::vector<Measures>& all) {
        table.row({name, std::to_string(n),
                   fixed(spread_of(all, &Measures::tokens).median(), 3),
                   spread_of(all, &Measures::exact).text(3),
                   spread_of(all, &Measures::bleu, 100).text(1),
                   spread_of(all, &Measures::alignment_error).text(3)});
    };
    row("transformer", trained.ablations[0].front().transformer.parameters().n_numbers(),
        whole);
    row("Bahdanau's", trained.recurrent.front().n_parameters, recurrent);
    const translation::Rule rule = translation::frequent_pairs(task.train, task.target.size());
    const double diagonal =
        text::alignment_counts(text::trivial_aligners()[1], trained.set.pairs).error();
    table.row({"no training", "0",
               fixed(translation::scores_of(rule, trained.set.numbered).accuracy(), 3), "", "",
               fixed(diagonal, 3)});
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.line(fmt::format("Test sentences judged: {}.", trained.set.pairs.size()));
    save_quality(frame, whole, recurrent);

    frame.files.write_csv(
        "trained_first_losses.csv",
        program::CsvColumns().add("whole",
                                  program::first_losses(trained.ablations[0].front().losses),
                                  significant, 6));
}

void lengths(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Quality against length",
        "By the number of words in the source, medians of the seeds. The third learns from as "
        "many sentences, none of them longer than 15 words.");
    const std::vector<translation::report::CountsOfModel> models = {
        translation::report::counts_of("transformer", "whole", trained.ablations[0]),
        translation::report::counts_of("Bahdanau's", "recurrent", trained.recurrent),
        translation::report::counts_of("short only", "brief", trained.brief)};
    translation::report::show_lengths(frame, models, true);
    frame.terminal.line();
    translation::report::show_lengths(frame, models, false);
    translation::report::save_lengths(frame, "trained_lengths.csv", models);
}

} // namespace attn::transformer::report
