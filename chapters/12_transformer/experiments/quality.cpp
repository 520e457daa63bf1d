#include "chapters/12_transformer/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"
#include "common/text/alignment_error.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/training.hpp"
#include "common/translation/trivial_rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace attn::transformer {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;
using program::spread;
using translation::report::spread_of;
using translation::report::with_measures;

// ---------------------------------------------------------------- the whole

namespace {

std::vector<Measures> measures_of(const OfVariant& of_variant)
{
    std::vector<Measures> all;
    for (const TrainedTransformer& one : of_variant) {
        all.push_back(one.measures);
    }
    return all;
}

void save_quality(Frame& frame, const std::vector<Measures>& whole,
                  const std::vector<Measures>& recurrent)
{
    program::Results results({"model"}, with_measures({{"seed", fixed, 0}}));
    for (const bool is_whole : {true, false}) {
        const std::vector<Measures>& all = is_whole ? whole : recurrent;
        for (std::size_t seed = 0; seed < all.size(); ++seed) {
            results.add({is_whole ? "transformer" : "bahdanau"},
                        with_measures({static_cast<double>(seed)}, all[seed]));
        }
    }
    frame.files.write_csv("trained_quality.csv", results.columns());
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
        translation::report::counts_of("short only", "brief", trained.short_only)};
    translation::report::show_lengths(frame, models, true);
    frame.terminal.line();
    translation::report::show_lengths(frame, models, false);
    translation::report::save_lengths(frame, "trained_lengths.csv", models);
}

} // namespace

void show_quality(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    frame.terminal.introduce(
        "The transformer, whole",
        "Beside Bahdanau's model of chapter 8 and, without training, a rule that is only "
        "counted from the training pairs: the most frequent next word after the one before it. "
        "AER: of the mean of the heads, and of the diagonal. Lowest, median and highest of the "
        "seeds.");
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
    frame.terminal.line(fmt::format("Test sentences evaluated: {}.", trained.set.pairs.size()));
    save_quality(frame, whole, recurrent);

    frame.files.write_csv(
        "trained_first_losses.csv",
        program::CsvColumns().add("whole",
                                  program::first_losses(trained.ablations[0].front().losses),
                                  significant, 6));
    lengths(frame, trained);
}

// ---------------------------------------------------------------- without a part

std::vector<double> means_of(const std::vector<double>& losses, std::size_t every)
{
    expect(every >= 1, "means_of: every must be at least 1");
    std::vector<double> means;
    for (std::size_t from = 0; from + every <= losses.size(); from += every) {
        const auto first = losses.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last = first + static_cast<std::ptrdiff_t>(every);
        means.push_back(std::accumulate(first, last, 0.0) / static_cast<double>(every));
    }
    return means;
}

namespace {

/// Steps of a mean of a curve.
constexpr std::size_t steps_of_mean = 15;

/// Lowest, median and highest of each number, a row a variant.
void save_variants(Frame& frame, const char* file, const std::vector<OfVariant>& all)
{
    struct Column
    {
        const char* name;
        double Measures::*number;
        double factor;
    };
    program::CsvColumns csv;
    std::vector<std::string> names;
    std::vector<double> sizes;
    for (const OfVariant& of_variant : all) {
        const TrainedTransformer& first = of_variant.front();
        names.push_back(first.variant->short_name);
        sizes.push_back(static_cast<double>(first.transformer.parameters().n_numbers()));
    }
    csv.add("variant", names).add("parameters", sizes, significant, 9);
    for (const Column& column :
         {Column{"tokens", &Measures::tokens, 1}, Column{"exact", &Measures::exact, 1},
          Column{"bleu", &Measures::bleu, 100}, Column{"aer", &Measures::alignment_error, 1}}) {
        std::vector<Spread> spreads;
        for (const OfVariant& of_variant : all) {
            spreads.push_back(spread_of(measures_of(of_variant), column.number, column.factor));
        }
        csv.add_spreads(column.name, spreads, fixed, 4);
    }
    frame.files.write_csv(file, csv);
}

void show_variants(Frame& frame, const char* what, const std::vector<OfVariant>& all)
{
    program::Table table({what, "parameters", "words right", "exact match", "BLEU", "AER"});
    for (const OfVariant& of_variant : all) {
        const std::vector<Measures> measures = measures_of(of_variant);
        table.row({of_variant.front().variant->name,
                   std::to_string(of_variant.front().transformer.parameters().n_numbers()),
                   fixed(spread_of(measures, &Measures::tokens).median(), 3),
                   spread_of(measures, &Measures::exact).text(3),
                   spread_of(measures, &Measures::bleu, 100).text(1),
                   fixed(spread_of(measures, &Measures::alignment_error).median(), 3)});
    }
    frame.terminal.table(table);
}

} // namespace

void show_ablation(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "What breaks without it",
        "One thing is changed at a time, and everything else, rate and steps included, stays "
        "as it was. AER: of the mean of the heads. Exact match and BLEU: lowest, median and "
        "highest of the seeds.");
    show_variants(frame, "variant", trained.ablations);
    save_variants(frame, "trained_ablation.csv", trained.ablations);
}

void show_residuals(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Which residual connections?",
        "As « no residual », the first row, but those of the encoder or of the decoder are "
        "there. Then none is, and the rate is half as high, or the encoder's words do not "
        "attend to one another. Lowest, median and highest of the seeds.");
    std::vector<OfVariant> rows = {trained.ablations[1]};
    rows.insert(rows.end(), trained.residuals.begin(), trained.residuals.end());
    show_variants(frame, "what adds", rows);
    save_variants(frame, "trained_residuals.csv", trained.residuals);
}

void show_norms(Frame& frame, const AllTrained& trained)
{
    const std::size_t n_steps = trained.norms[0].front().losses.size();
    frame.terminal.introduce(
        "Before or after, and how to start",
        "Two layers each, {} steps: the norm before each sublayer or behind the "
        "sum, the rate rising over the first {} steps or at its peak from the "
        "first one, and a peak of 0.005 or 0.01. Lowest, median and highest of the seeds.",
        n_steps, translation::brief_warm_up(norm_variants()[0].n_warm_up, n_steps));
    show_variants(frame, "two layers each", trained.norms);
    save_variants(frame, "trained_norms.csv", trained.norms);

    const std::size_t every = std::min(n_steps, steps_of_mean);
    program::CsvColumns csv;
    std::vector<double> steps;
    for (std::size_t i = 1; i <= n_steps / every; ++i) {
        steps.push_back(static_cast<double>(i * every));
    }
    csv.add("steps", steps, significant, 6);
    for (const OfVariant& of_variant : trained.norms) {
        std::vector<std::vector<double>> curves;
        for (const TrainedTransformer& one : of_variant) {
            curves.push_back(means_of(one.losses, every));
        }
        std::vector<Spread> spreads;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            spreads.push_back(
                spread(curves, [&](const std::vector<double>& curve) { return curve[i]; }));
        }
        csv.add_spreads(of_variant.front().variant->short_name, spreads, fixed, 4);
    }
    frame.files.write_csv("trained_curves.csv", csv);
}

} // namespace attn::transformer
