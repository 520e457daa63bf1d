#include "chapters/08_bahdanau/experiments/report.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/tensor/check.hpp"
#include "common/translation/report_evaluation.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn::bahdanau::report {

using program::fixed;
using program::Frame;
using program::significant;

using translation::report::spread_of;

namespace {

const std::vector<std::string> names_of_brief = {"none", "additive_before"};

KindTraining training_of(const Frame& frame, const Trainings& trainings, bool observed)
{
    KindTraining how;
    how.n_steps = frame.options.quick ? n_rows_of_snapshots : trainings.steps();
    const std::size_t n_rounds =
        frame.options.quick ? 1
                            : std::max(how.n_steps / 50 / n_rows_of_snapshots, std::size_t{1});
    how.snapshot_every =
        observed ? std::max<std::size_t>(how.n_steps / (n_rounds * n_rows_of_snapshots), 1) : 0;
    how.n_validated = frame.options.quick ? 16 : 128;
    return how;
}

} // namespace

const OfKind& of_kind(const std::vector<OfKind>& all, std::string_view short_name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const OfKind& one) {
        return one.front().kind->short_name == short_name;
    });
    expect(found != all.end(), "of_kind: there are no translators of '{}'", short_name);
    return *found;
}

AllTrained train_all(const Frame& frame, const TranslationTask& task,
                     const Trainings& trainings)
{
    std::vector<std::uint64_t> seeds(frame.options.quick ? 1 : trainings.n_seeds);
    std::iota(seeds.begin(), seeds.end(), frame.options.seed);
    const TranslationTask short_task =
        translation::short_task(task, frame.options.seed,
                                frame.options.quick ? quick_train : text::CorpusSizes().train);
    const EvaluationSet set = translation::every_nth(
        task.pairs.test, task.test, frame.options.quick ? 60 : trainings.evaluated_every());
    const EvaluationSet short_set = translation::numbered_by(short_task, set.pairs);

    const std::vector<AlignmentKind>& kinds = alignment_kinds();
    const std::size_t n_rows = kinds.size() + names_of_brief.size();
    std::vector<OfKind> full = program::run_rows_with_seeds(
        frame, "translators", n_rows, seeds, [&](std::size_t row, std::uint64_t seed) {
            const bool is_full = row < kinds.size();
            const AlignmentKind& kind =
                is_full ? kinds[row] : kind_named(names_of_brief[row - kinds.size()]);
            KindTraining how = training_of(frame, trainings, is_full && kind.attends);
            how.seed = seed;
            return try_kind(kind, is_full ? task : short_task, is_full ? set : short_set, how);
        });
    const auto first_brief = full.begin() + static_cast<std::ptrdiff_t>(kinds.size());
    std::vector<OfKind> brief(std::make_move_iterator(first_brief),
                              std::make_move_iterator(full.end()));
    full.erase(first_brief, full.end());
    return {set, std::move(full), std::move(brief)};
}

// ---------------------------------------------------------------- quality and alignment

namespace {

std::vector<Measures> measures_of_kind(const OfKind& trained, const EvaluationSet& set)
{
    std::vector<Measures> all;
    for (const TrainedTranslator& one : trained) {
        all.push_back(translation::measures_of(one.evaluation, set.pairs, one.kind->attends));
    }
    return all;
}

void save_kinds(Frame& frame, const AllTrained& trained)
{
    program::CsvRows csv({{"kind", significant, 4},
                          {"seed", significant, 10},
                          {"parameters", significant, 9},
                          {"tokens", fixed, 4},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2},
                          {"alignment_error", fixed, 4},
                          {"on_sure", fixed, 4},
                          {"on_sure_or_possible", fixed, 4}});
    for (std::size_t k = 0; k < trained.full.size(); ++k) {
        for (const TrainedTranslator& one : trained.full[k]) {
            const Measures measures =
                translation::measures_of(one.evaluation, trained.set.pairs, one.kind->attends);
            csv.add({static_cast<double>(k), static_cast<double>(one.seed),
                     static_cast<double>(one.translator.parameters().n_numbers()),
                     measures.tokens, measures.exact, 100 * measures.bleu,
                     measures.alignment_error, measures.on_sure, measures.on_sure_or_possible});
        }
    }
    frame.files.write_csv("trained_kinds.csv", csv.columns());
}

/// The first losses of each kind, of one seed.
void save_losses(Frame& frame, const AllTrained& trained)
{
    program::CsvColumns csv;
    for (const OfKind& of_kind : trained.full) {
        csv.add(of_kind.front().kind->short_name, program::first_losses(of_kind.front().losses),
                significant, 6);
    }
    frame.files.write_csv("trained_first_losses.csv", csv);
}

void show_two_by_two(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Which state asks, and which score",
        "Exact match and alignment error rate, medians of the seeds. The score changes alone; "
        "with the state that asks, the place of the context and the readout change as well.");
    program::Table table({"query", "score", "exact match", "AER"});
    for (const char* name :
         {"additive_before", "general_before", "additive_after", "general_after"}) {
        const std::vector<Measures> measures =
            measures_of_kind(of_kind(trained.full, name), trained.set);
        const std::string text(name);
        table.row({text.find("before") == std::string::npos ? "s_t" : "s_{t-1}",
                   text.substr(0, text.find('_')),
                   fixed(spread_of(measures, &Measures::exact).median(), 3),
                   fixed(spread_of(measures, &Measures::alignment_error).median(), 3)});
    }
    frame.terminal.table(table);
}

} // namespace

void kinds(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Nine translators",
        "Encoder and decoder are chapter 7's; what differs is the way to a context, and in the "
        "last row what is done with it: there it enters the step by a layer of its own, and "
        "words are read out of the state alone. Words right: after the right words before "
        "them. Exact match: whole translations, each word the most probable one. Lowest, "
        "median and highest of the seeds.");
    program::Table quality({"context", "parameters", "words right", "exact match", "BLEU"});
    program::Table alignment({"context", "AER", "mass on sure", "on sure or possible"});
    for (const OfKind& of_kind : trained.full) {
        const AlignmentKind& kind = *of_kind.front().kind;
        const std::vector<Measures> measures = measures_of_kind(of_kind, trained.set);
        quality.row({kind.name,
                     std::to_string(of_kind.front().translator.parameters().n_numbers()),
                     fixed(spread_of(measures, &Measures::tokens).median(), 3),
                     spread_of(measures, &Measures::exact).text(3),
                     spread_of(measures, &Measures::bleu, 100).text(1)});
        if (kind.attends) {
            alignment.row(
                {kind.name, spread_of(measures, &Measures::alignment_error).text(3),
                 spread_of(measures, &Measures::on_sure).text(3),
                 fixed(spread_of(measures, &Measures::on_sure_or_possible).median(), 3)});
        }
    }
    frame.terminal.table(quality);
    frame.terminal.line();
    frame.terminal.line(fmt::format("Test sentences judged: {}.", trained.set.pairs.size()));
    frame.terminal.introduce(
        "Where they look",
        "The largest weight of each step is taken as a link, and compared with the grammar's "
        "own. The mass is the mean weight on right links. No training: the diagonal's AER "
        "stands in the first table.");
    frame.terminal.table(alignment);
    show_two_by_two(frame, trained);
    save_kinds(frame, trained);
    save_losses(frame, trained);
}

} // namespace attn::bahdanau::report
