/// \file
/// \brief The bodies of train_all() and kinds() of report.hpp.
#include "chapters/08_bahdanau/experiments/report.hpp"
#include "chapters/08_bahdanau/report_measures.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn::bahdanau::report {

using program::fixed;
using program::Frame;
using program::significant;

namespace {

constexpr std::size_t longest_of_brief = 15; // source words
const std::vector<std::string> names_of_brief = {"none", "additive_before"};

/// A test set with the words of another task's vocabularies.
JudgedPart numbered_by(const TranslationTask& task,
                       const std::vector<text::SentencePair>& pairs)
{
    return {pairs, text::numbered_pairs(pairs, task.source, task.target)};
}

LearningOptions options_of(const Frame& frame, const Settings& settings, bool attends)
{
    LearningOptions options;
    options.n_steps = frame.options.quick ? n_rows_of_looks : settings.steps();
    const std::size_t n_looks =
        frame.options.quick ? n_rows_of_looks
                            : std::max(options.n_steps / 50 / n_rows_of_looks, std::size_t{1}) *
                                  n_rows_of_looks;
    options.look_every = attends ? std::max<std::size_t>(options.n_steps / n_looks, 1) : 0;
    options.n_looked_at = frame.options.quick ? 16 : 128;
    return options;
}

} // namespace

const TrialsOfKind& of_kind(const std::vector<TrialsOfKind>& trials,
                            std::string_view short_name)
{
    const auto found =
        std::find_if(trials.begin(), trials.end(), [&](const TrialsOfKind& of_kind) {
            return of_kind.front().kind->short_name == short_name;
        });
    expect(found != trials.end(), "of_kind: there are no trials of '{}'", short_name);
    return *found;
}

Trials train_all(const Frame& frame, const TranslationTask& task, const Settings& settings)
{
    std::vector<std::uint64_t> seeds(frame.options.quick ? 1 : settings.n_seeds);
    std::iota(seeds.begin(), seeds.end(), frame.options.seed);
    TranslationTask short_task = seq2seq::grammar_task(
        frame.options.seed,
        {.train = frame.options.quick ? quick_train : text::CorpusSizes().train,
         .longest_train = longest_of_brief});
    short_task.max_length = task.max_length; // it may write as much as the others
    const JudgedPart part = every_nth(task.pairs.test, task.test,
                                      frame.options.quick ? 60 : settings.judged_every());
    const JudgedPart brief_part = numbered_by(short_task, part.pairs);

    const std::vector<AlignmentKind>& kinds = alignment_kinds();
    const std::size_t n_rows = kinds.size() + names_of_brief.size();
    std::vector<TrialsOfKind> full = program::rows_by_seeds(
        frame, "translators", n_rows, seeds, [&](std::size_t row, std::uint64_t seed) {
            const bool is_full = row < kinds.size();
            const AlignmentKind& kind =
                is_full ? kinds[row] : kind_named(names_of_brief[row - kinds.size()]);
            LearningOptions options = options_of(frame, settings, is_full && kind.attends);
            options.seed = seed;
            return try_kind(kind, is_full ? task : short_task, is_full ? part : brief_part,
                            options);
        });
    const auto first_brief = full.begin() + static_cast<std::ptrdiff_t>(kinds.size());
    std::vector<TrialsOfKind> brief(std::make_move_iterator(first_brief),
                                    std::make_move_iterator(full.end()));
    full.erase(first_brief, full.end());
    return {part, std::move(full), std::move(short_task), std::move(brief)};
}

// ---------------------------------------------------------------- quality and alignment

namespace {

std::vector<Measures> measures_of_kind(const TrialsOfKind& trials, const JudgedPart& part)
{
    std::vector<Measures> all;
    for (const Trial& trial : trials) {
        all.push_back(measures_of(trial.judgement, part.pairs, trial.kind->attends));
    }
    return all;
}

void keep_kinds(Frame& frame, const Trials& trials)
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
    for (std::size_t k = 0; k < trials.full.size(); ++k) {
        for (const Trial& trial : trials.full[k]) {
            const Measures one =
                measures_of(trial.judgement, trials.part.pairs, trial.kind->attends);
            csv.add({static_cast<double>(k), static_cast<double>(trial.seed),
                     static_cast<double>(trial.learnt.translator.parameters().n_numbers()),
                     one.tokens, one.exact, 100 * one.bleu, one.alignment_error, one.on_sure,
                     one.on_sure_or_possible});
        }
    }
    frame.files.write_csv("trained_kinds.csv", csv.columns());
}

/// The first losses of each kind, of one seed.
void keep_losses(Frame& frame, const Trials& trials)
{
    program::CsvColumns csv;
    for (const TrialsOfKind& of_kind : trials.full) {
        csv.add(of_kind.front().kind->short_name,
                program::first_losses(of_kind.front().learnt.losses), significant, 6);
    }
    frame.files.write_csv("trained_first_losses.csv", csv);
}

void show_two_by_two(Frame& frame, const Trials& trials)
{
    frame.terminal.introduce(
        "Which state asks, and which score",
        "Exact match and alignment error rate, medians of the seeds. The score changes alone; "
        "with the state that asks, the place of the context and the readout change as well.");
    program::Table table({"query", "score", "exact match", "AER"});
    for (const char* name :
         {"additive_before", "general_before", "additive_after", "general_after"}) {
        const std::vector<Measures> measures =
            measures_of_kind(of_kind(trials.full, name), trials.part);
        const std::string text(name);
        table.row({text.find("before") == std::string::npos ? "s_t" : "s_{t-1}",
                   text.substr(0, text.find('_')),
                   fixed(spread_of(measures, &Measures::exact).median(), 3),
                   fixed(spread_of(measures, &Measures::alignment_error).median(), 3)});
    }
    frame.terminal.table(table);
}

} // namespace

void kinds(Frame& frame, const Trials& trials)
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
    for (const TrialsOfKind& of_kind : trials.full) {
        const AlignmentKind& kind = *of_kind.front().kind;
        const std::vector<Measures> measures = measures_of_kind(of_kind, trials.part);
        quality.row({kind.name,
                     std::to_string(of_kind.front().learnt.translator.parameters().n_numbers()),
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
    frame.terminal.line(fmt::format("Test sentences judged: {}.", trials.part.pairs.size()));
    frame.terminal.introduce(
        "Where they look",
        "The largest weight of each step is taken as a link, and compared with the grammar's "
        "own. The mass is the mean weight on right links. No training: the diagonal's AER "
        "stands in the first table.");
    frame.terminal.table(alignment);
    show_two_by_two(frame, trials);
    keep_kinds(frame, trials);
    keep_losses(frame, trials);
}

} // namespace attn::bahdanau::report
