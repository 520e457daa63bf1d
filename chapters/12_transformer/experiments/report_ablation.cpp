#include "chapters/12_transformer/experiments/report.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"
#include "common/translation/evaluation.hpp"

#include <algorithm>

namespace attn::transformer::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;
using program::spread;
using translation::report::spread_of;

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
    std::vector<double> rows;
    std::vector<double> sizes;
    for (std::size_t v = 0; v < all.size(); ++v) {
        rows.push_back(static_cast<double>(v));
        sizes.push_back(
            static_cast<double>(all[v].front().transformer.parameters().n_numbers()));
    }
    csv.add("variant", rows, fixed, 0).add("parameters", sizes, significant, 9);
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

void ablation(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "What breaks without it",
        "One thing is changed at a time, and everything else, rate and steps included, stays "
        "as it was. AER: of the mean of the heads. Exact match and BLEU: lowest, median and "
        "highest of the seeds.");
    show_variants(frame, "variant", trained.ablations);
    save_variants(frame, "trained_ablation.csv", trained.ablations);
}

void norms(Frame& frame, const AllTrained& trained)
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

} // namespace attn::transformer::report
