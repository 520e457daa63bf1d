#include "chapters/08_bahdanau/experiments/report.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/text/alignment_error.hpp"
#include "common/translation/report_evaluation.hpp"

namespace attn::bahdanau::report {

using program::fixed;
using program::Frame;
using program::significant;
using translation::report::CountsOfModel;

namespace {

std::vector<CountsOfModel> counts_of_kinds(const std::vector<OfKind>& all)
{
    std::vector<CountsOfModel> models;
    for (const OfKind& of_kind : all) {
        const AlignmentKind& kind = *of_kind.front().kind;
        models.push_back(translation::report::counts_of(kind.name, kind.short_name, of_kind));
    }
    return models;
}

} // namespace

void lengths(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce("Quality against length",
                             "By the number of words in the source, medians of the seeds.");
    const std::vector<CountsOfModel> full = counts_of_kinds(trained.full);
    show_lengths(frame, full, true);
    frame.terminal.line();
    show_lengths(frame, full, false);
    save_lengths(frame, "trained_lengths.csv", full);

    frame.terminal.introduce(
        "Trained on at most 15 words",
        "The same test, after learning from as many sentences, none of them longer than 15 "
        "words.");
    const std::vector<CountsOfModel> brief = counts_of_kinds(trained.brief);
    show_lengths(frame, brief, true);
    frame.terminal.line();
    show_lengths(frame, brief, false);
    save_lengths(frame, "trained_short.csv", brief);
}

// ---------------------------------------------------------------- how alignments come about

void click(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "While they learn",
        "Sentences to validate on, after so many steps: words right and entropy of the "
        "weights (in nats, 0 where one source word has all) of Bahdanau's model, and AER of "
        "it and of others. One seed.");
    const std::vector<std::string> names = {"additive_before", "general_before",
                                            "additive_after", "general_after", "location"};
    const std::vector<Snapshot>& first = of_kind(trained.full, names[0]).front().snapshots;
    const std::size_t every = first.size() / n_rows_of_snapshots;
    program::Table table({"steps", "words right", "entropy", "AER", "general, s_{t-1}",
                          "additive, s_t", "general, s_t", "location"});
    for (std::size_t i = every - 1; i < first.size(); i += every) {
        std::vector<std::string> row = {std::to_string(first[i].n_steps),
                                        fixed(first[i].accuracy, 3),
                                        fixed(first[i].entropy, 2)};
        for (const std::string& name : names) {
            row.push_back(
                fixed(of_kind(trained.full, name).front().snapshots.at(i).alignment_error, 3));
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
        const std::vector<Snapshot>& snapshots = of_kind(trained.full, name).front().snapshots;
        csv.add("aer_" + name, column(snapshots, &Snapshot::alignment_error), fixed, 4);
        csv.add("entropy_" + name, column(snapshots, &Snapshot::entropy), fixed, 4);
        csv.add("accuracy_" + name, column(snapshots, &Snapshot::accuracy), fixed, 4);
    }
    const double diagonal =
        text::alignment_counts(text::trivial_aligners()[1], trained.set.pairs).error();
    csv.add("diagonal", std::vector<double>(first.size(), diagonal), fixed, 4);
    frame.files.write_csv("trained_click.csv", csv);
}

} // namespace attn::bahdanau::report
