#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"
#include "common/text/alignment_error.hpp"
#include "common/text/share.hpp"
#include "common/translation/training.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace attn::bahdanau {

using program::Cell;
using program::fixed;
using program::Frame;
using program::significant;
using translation::report::CountsOfModel;
using translation::report::with_measures;

namespace {

constexpr std::size_t quick_train = 6000;      // every word of the test is among theirs
constexpr std::size_t n_rows_of_snapshots = 8; // that are printed; a multiple of it is observed
constexpr std::size_t n_kinds_of_book = 9; // of alignment_kinds(); those behind are a reader's

/// Steps of a training of the chapter, few if quick.
std::size_t usual_steps(const Frame& frame, const Trainings& trainings)
{
    return frame.options.quick ? n_rows_of_snapshots : trainings.steps();
}

std::size_t n_to_learn_from(const Frame& frame)
{
    return frame.options.quick ? quick_train : text::CorpusSizes().train;
}

} // namespace

TranslationTask sentences(const Frame& frame)
{
    return translation::grammar_task(frame.options.seed, {.train = n_to_learn_from(frame)});
}

void show_aligners(Frame& frame, const TranslationTask& task)
{
    const std::vector<text::SentencePair>& pairs = task.pairs.test;
    frame.terminal.introduce(
        "Aligners that learn nothing",
        "On the {} sentences to test on. The oracle has one sure link a target word, the "
        "diagonal the source word at the same relative position, uniform is what a link drawn "
        "at random may expect. AER is the alignment error rate; beside it the shares of the "
        "links that are sure, and sure or possible.",
        pairs.size());
    program::Table table({"links", "AER", "sure", "sure or possible"});
    for (const text::TrivialAligner& aligner : text::trivial_aligners()) {
        const text::AlignmentCounts counts = text::alignment_counts(aligner, pairs);
        table.row({aligner.name, fixed(counts.error(), 3), fixed(counts.share_in_sure(), 3),
                   fixed(counts.precision(), 3)});
    }
    frame.terminal.table(table);
}

TrainedTranslator train_and_evaluate(const AlignmentKind& kind, const TranslationTask& task,
                                     const EvaluationSet& set, const KindTraining& how)
{
    const auto end =
        static_cast<std::ptrdiff_t>(std::min(how.n_validated, task.validation.size()));
    const EvaluationSet validation = {
        {task.pairs.validation.begin(), task.pairs.validation.begin() + end},
        {task.validation.begin(), task.validation.begin() + end}};
    TrainedTranslator trained{&kind, how.seed, make_translator(kind, task, how.seed), {}, {},
                              {},    {}};
    const TranslationModel model = model_of(trained.translator);
    const auto observe = [&](std::size_t n_steps) {
        if (how.snapshot_every == 0 || n_steps % how.snapshot_every != 0) {
            return;
        }
        const Evaluation seen = translation::predict(model, validation);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        trained.snapshots.push_back(
            {n_steps, translation::tokens_of(seen).accuracy(),
             kind.attends ? translation::alignment_of(seen, validation.pairs).error() : nan,
             kind.attends ? mean_entropy(seen) : nan});
    };
    trained.losses = translation::train(
        model, task.train,
        {.n_steps = how.n_steps, .peak_rate = kind.peak_rate, .seed = how.seed},
        {.label = kind.name, .show_progress = false}, observe);
    trained.evaluation = translation::evaluate(model, task, set);
    trained.measures = translation::measures_of(trained.evaluation, set.pairs, kind.attends);
    return trained;
}

double mean_entropy(const Evaluation& evaluation)
{
    double sum = 0;
    double n_words = 0;
    for (const text::AttentionWeights& sentence : evaluation.weights) {
        for (const std::vector<double>& row : sentence) {
            for (const double p : row) {
                sum -= p > 0 ? p * elementary::log(p) : 0.0;
            }
            n_words += 1;
        }
    }
    return text::share_of(sum, n_words);
}

const SeedsOfKind& AllTrained::of_kind(std::string_view short_name) const
{
    const auto found = std::find_if(full.begin(), full.end(), [&](const SeedsOfKind& one) {
        return one.front().kind->short_name == short_name;
    });
    expect(found != full.end(), "of_kind: there are no translators of '{}'", short_name);
    return *found;
}

AllTrained train_all(const Frame& frame, const TranslationTask& task,
                     const Trainings& trainings)
{
    std::vector<std::uint64_t> seeds(frame.options.quick ? 1 : trainings.n_seeds);
    std::iota(seeds.begin(), seeds.end(), frame.options.seed);
    const TranslationTask short_task =
        translation::short_task(task, frame.options.seed, n_to_learn_from(frame));
    const EvaluationSet set = translation::every_nth(
        task.pairs.test, task.test, frame.options.quick ? 60 : trainings.evaluated_every());
    const EvaluationSet short_set = translation::numbered_by(short_task, set.pairs);

    KindTraining how;
    how.n_steps = usual_steps(frame, trainings);
    how.n_validated = frame.options.quick ? 16 : 128;
    const std::size_t n_snapshots =
        n_rows_of_snapshots * std::max(how.n_steps / 50 / n_rows_of_snapshots, std::size_t{1});
    constexpr std::array names_of_short_only = {"none", "additive_before"};
    const std::vector<AlignmentKind>& kinds = alignment_kinds();
    const std::size_t n_rows = kinds.size() + names_of_short_only.size();
    std::vector<SeedsOfKind> full = program::run_rows_with_seeds(
        frame, "translators", n_rows, seeds, [&](std::size_t row, std::uint64_t seed) {
            const bool is_full = row < kinds.size();
            const AlignmentKind& kind =
                is_full ? kinds[row] : kind_named(names_of_short_only[row - kinds.size()]);
            KindTraining own = how;
            own.seed = seed;
            own.snapshot_every = is_full && kind.attends
                                     ? std::max<std::size_t>(how.n_steps / n_snapshots, 1)
                                     : 0;
            return train_and_evaluate(kind, is_full ? task : short_task,
                                      is_full ? set : short_set, own);
        });
    const auto first_short = full.begin() + static_cast<std::ptrdiff_t>(kinds.size());
    std::vector<SeedsOfKind> short_only(std::make_move_iterator(first_short),
                                        std::make_move_iterator(full.end()));
    full.erase(first_short, full.end());
    return {set, std::move(full), std::move(short_only)};
}

// ---------------------------------------------------------------- quality and alignment

namespace {

/// Quality and alignment of every translator.
program::Results results_of(const std::vector<SeedsOfKind>& all)
{
    program::Results results(
        {"kind"}, with_measures({{"seed", significant, 10}, {"parameters", significant, 9}}));
    for (const SeedsOfKind& of_kind : all) {
        for (const TrainedTranslator& one : of_kind) {
            const std::size_t n_parameters = one.translator.parameters().n_numbers();
            results.add({one.kind->short_name},
                        with_measures(
                            {static_cast<double>(one.seed), static_cast<double>(n_parameters)},
                            one.measures));
        }
    }
    return results;
}

/// How a translator is named in tables.
std::string name_of(const std::string& short_name)
{
    return kind_named(short_name).name;
}

/// The translators that are compared on the chapter's main page; page 8a has the others.
const std::vector<std::string> on_main_page = {
    "none", "additive_before", "additive_after", "general_after", "dot_after", "location"};

std::vector<std::string> on_page_8a(const program::Results& results)
{
    std::vector<std::string> kinds = results.names();
    std::erase_if(kinds, [](const std::string& kind) {
        return std::find(on_main_page.begin(), on_main_page.end(), kind) != on_main_page.end();
    });
    return kinds;
}

/// How well translators translate.
program::View quality_of(const std::vector<std::string>& kinds)
{
    return {"context",
            {{"parameters", "parameters", 0},
             {"words right", "tokens", 3},
             {"exact match", "exact", 3, Cell::spread},
             {"BLEU", "bleu", 1, Cell::spread}},
            kinds,
            name_of};
}

/// What they attend to, for those that do.
program::View alignments_of(std::vector<std::string> kinds)
{
    std::erase(kinds, "none");
    return {"context",
            {{"AER", "alignment_error", 3, Cell::spread},
             {"mass on sure", "on_sure", 3, Cell::spread},
             {"on sure or possible", "on_sure_or_possible", 3}},
            std::move(kinds),
            name_of};
}

/// The first losses of each kind, of one seed.
void save_losses(Frame& frame, const AllTrained& trained)
{
    program::CsvColumns csv;
    for (const SeedsOfKind& of_kind : trained.full) {
        csv.add(of_kind.front().kind->short_name, program::first_losses(of_kind.front().losses),
                significant, 6);
    }
    frame.files.write_csv("trained_first_losses.csv", csv);
}

void show_two_by_two(Frame& frame, const program::Results& results)
{
    frame.terminal.introduce(
        "Which state asks, and which score",
        "Exact match and alignment error rate, medians of the seeds. The score changes alone; "
        "with the state that asks, where the context enters and the readout change as well.");
    program::Table table({"query", "score", "exact match", "AER"});
    for (const char* query : {"before", "after"}) {
        for (const char* score : {"additive", "general"}) {
            const std::string name = fmt::format("{}_{}", score, query);
            table.row({name.ends_with("before") ? "s_{t-1}" : "s_t", score,
                       fixed(results.spread_of(name, "exact").median(), 3),
                       fixed(results.spread_of(name, "alignment_error").median(), 3)});
        }
    }
    frame.terminal.table(table);
}

} // namespace

void show_kinds(Frame& frame, const AllTrained& trained)
{
    const program::Results results = results_of(trained.full);
    frame.terminal.introduce(
        "Six translators",
        "Encoder and decoder are chapter 7's; what differs is the way to a context. Words "
        "right: after the right words before them. Exact match: whole translations, each word "
        "the most probable one. Lowest, median and highest of the seeds.");
    frame.terminal.table(results.table(quality_of(on_main_page)));
    frame.terminal.line();
    frame.terminal.line(fmt::format("Test sentences evaluated: {}.", trained.set.pairs.size()));
    frame.terminal.introduce(
        "What they attend to",
        "The largest weight of each step is taken as a link, and compared with the grammar's "
        "own. The mass is the mean weight on sure links, and on sure or possible ones.");
    frame.terminal.table(results.table(alignments_of(on_main_page)));
    frame.terminal.introduce(
        "More translators",
        "General with the state before the step, concat, and weights by position in a "
        "tutorial's decoder: there the context enters the step by a layer of its own, and "
        "words are read out of the state alone. The columns are those of the six.");
    frame.terminal.table(results.table(quality_of(on_page_8a(results))));
    frame.terminal.line();
    frame.terminal.table(results.table(alignments_of(on_page_8a(results))));
    show_two_by_two(frame, results);
    frame.files.write_csv("trained_kinds.csv", results.columns());
    save_losses(frame, trained);
}

// ---------------------------------------------------------------- by length

namespace {

std::vector<CountsOfModel> counts_of_kinds(const std::vector<SeedsOfKind>& all)
{
    std::vector<CountsOfModel> models;
    for (const SeedsOfKind& of_kind : all) {
        const AlignmentKind& kind = *of_kind.front().kind;
        models.push_back(translation::report::counts_of(kind.name, kind.short_name, of_kind));
    }
    return models;
}

} // namespace

void show_lengths(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce("Quality against length",
                             "By the number of words in the source, medians of the seeds.");
    const std::vector<CountsOfModel> full = counts_of_kinds(trained.full);
    translation::report::show_lengths(frame, full, true);
    frame.terminal.line();
    translation::report::show_lengths(frame, full, false);
    translation::report::save_lengths(frame, "trained_lengths.csv", full);

    frame.terminal.introduce(
        "Trained on at most 15 words",
        "The same test, after learning from as many sentences, none of them longer than 15 "
        "words.");
    const std::vector<CountsOfModel> short_only = counts_of_kinds(trained.short_only);
    translation::report::show_lengths(frame, short_only, true);
    frame.terminal.line();
    translation::report::show_lengths(frame, short_only, false);
    translation::report::save_lengths(frame, "trained_short.csv", short_only);
}

void show_longer(Frame& frame, const TranslationTask& task, const AllTrained& trained,
                 const Trainings& trainings)
{
    constexpr std::array<std::size_t, 2> times = {4, 10};
    const SeedsOfKind& usual = trained.of_kind("additive_before");
    const std::vector<SeedsOfKind> longer = program::run_rows_with_seeds(
        frame, "longer training", times.size(), {frame.options.seed},
        [&](std::size_t row, std::uint64_t seed) {
            return train_and_evaluate(
                *usual.front().kind, task, trained.set,
                {.n_steps = times[row] * usual_steps(frame, trainings), .seed = seed});
        });
    std::vector<CountsOfModel> models;
    const auto add = [&](const std::string& short_name, const SeedsOfKind& seeds) {
        models.push_back(translation::report::counts_of(
            fmt::format("{} steps", seeds.front().losses.size()), short_name, seeds));
    };
    add("once", usual);
    for (std::size_t row = 0; row < times.size(); ++row) {
        add(fmt::format("times_{}", times[row]), longer[row]);
    }
    frame.terminal.introduce(
        "Bahdanau's model after longer trainings",
        "By the number of words in the source. The first row is the median of the seeds above, "
        "the others are of one seed; each training's rate falls over its own steps.");
    translation::report::show_lengths(frame, models, true);
    frame.terminal.line();
    translation::report::show_lengths(frame, models, false);
    translation::report::save_lengths(frame, "trained_longer.csv", models);
    program::Table table({"training", "exact match", "BLEU"});
    for (const SeedsOfKind& seeds : longer) {
        table.row({fmt::format("{} steps", seeds.front().losses.size()),
                   fixed(seeds.front().measures.exact, 3),
                   fixed(100 * seeds.front().measures.bleu, 1)});
    }
    frame.terminal.line();
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- how alignments come about

void show_learning(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "While they learn",
        "Sentences to validate on, after so many steps: words right and entropy of the "
        "weights (in nats, 0 where one source word has all) of Bahdanau's model, and AER of "
        "it and of others. One seed.");
    std::vector<std::string> names = {"additive_before", "general_before", "additive_after",
                                      "general_after", "location"};
    std::vector<std::string> header = {"steps",        "words right",      "entropy",
                                       "AER",          "general, s_{t-1}", "additive, s_t",
                                       "general, s_t", "location"};
    for (std::size_t kind = n_kinds_of_book; kind < alignment_kinds().size(); ++kind) {
        names.push_back(alignment_kinds()[kind].short_name);
        header.push_back(alignment_kinds()[kind].name);
    }
    const std::vector<Snapshot>& first = trained.of_kind(names[0]).front().snapshots;
    const std::size_t every = first.size() / n_rows_of_snapshots;
    program::Table table(header);
    for (std::size_t i = every - 1; i < first.size(); i += every) {
        std::vector<std::string> row = {std::to_string(first[i].n_steps),
                                        fixed(first[i].accuracy, 3),
                                        fixed(first[i].entropy, 2)};
        for (const std::string& name : names) {
            row.push_back(
                fixed(trained.of_kind(name).front().snapshots.at(i).alignment_error, 3));
        }
        table.row(row);
    }
    frame.terminal.table(table);

    program::CsvColumns csv;
    const auto column = [&](const std::vector<Snapshot>& snapshots, auto number) {
        std::vector<double> numbers;
        for (const Snapshot& snapshot : snapshots) {
            numbers.push_back(static_cast<double>(snapshot.*number));
        }
        return numbers;
    };
    csv.add("steps", column(first, &Snapshot::n_steps), significant, 6);
    for (const std::string& name : names) {
        const std::vector<Snapshot>& snapshots = trained.of_kind(name).front().snapshots;
        csv.add("aer_" + name, column(snapshots, &Snapshot::alignment_error), fixed, 4);
        csv.add("entropy_" + name, column(snapshots, &Snapshot::entropy), fixed, 4);
        csv.add("accuracy_" + name, column(snapshots, &Snapshot::accuracy), fixed, 4);
    }
    const double diagonal =
        text::alignment_counts(text::trivial_aligners()[1], trained.set.pairs).error();
    csv.add("diagonal", std::vector<double>(first.size(), diagonal), fixed, 4);
    frame.files.write_csv("trained_click.csv", csv);
}

} // namespace attn::bahdanau
