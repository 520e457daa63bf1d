#include "chapters/08_bahdanau/interventions.hpp"
#include "chapters/12_transformer/experiments/report.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/translation/effects.hpp"

namespace attn::transformer::report {

using program::fixed;
using program::Frame;
using program::side_by_side;
using program::spread;
using translation::Agreement;
using translation::report::mean_of;
using translation::report::share;

namespace {

/// The lowest, middle and highest number of the chosen weights in each seed.
void spread_row(program::Table& table, const AllTrained& trained, bool chosen)
{
    std::vector<Measures> measures;
    for (const std::vector<HeadMeasures>& all : trained.heads) {
        measures.push_back(all[chosen ? best_head(all) + 1 : 0].test);
    }
    const auto text = [&](double Measures::*number) {
        return spread(measures, [&](const Measures& one) { return one.*number; }).text(3);
    };
    table.row({chosen ? "chosen head" : "mean of the heads", text(&Measures::alignment_error),
               text(&Measures::on_sure), text(&Measures::on_sure_or_possible)});
}

void save_heads(Frame& frame, const AllTrained& trained)
{
    program::CsvRows csv({{"seed", fixed, 0},
                          {"head", fixed, 0},
                          {"chosen", fixed, 0},
                          {"validation", fixed, 4},
                          {"test", fixed, 4},
                          {"on_sure", fixed, 4},
                          {"on_sure_or_possible", fixed, 4}});
    for (std::size_t seed = 0; seed < trained.heads.size(); ++seed) {
        const std::vector<HeadMeasures>& all = trained.heads[seed];
        for (std::size_t row = 0; row < all.size(); ++row) { // 0: the mean
            csv.add({static_cast<double>(seed), static_cast<double>(row),
                     row == best_head(all) + 1 ? 1.0 : 0.0, all[row].validation_error,
                     all[row].test.alignment_error, all[row].test.on_sure,
                     all[row].test.on_sure_or_possible});
        }
    }
    frame.files.write_csv("trained_heads.csv", csv.columns());
}

} // namespace

void heads(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Where the heads look",
        "Attention of the decoder to the source, as the mean of the heads and head by head. "
        "AER on sentences to validate on, by which a head is chosen, and on those of the "
        "test; mass is the mean weight on right words of the test. First of one seed, then "
        "lowest, median and highest of the seeds.");
    program::Table table({"weights of", "AER, validation", "AER, test", "mass on sure",
                          "on sure or possible", "chosen"});
    const std::vector<HeadMeasures>& first = trained.heads.front();
    for (const HeadMeasures& one : first) {
        table.row({name_of(one.choice), fixed(one.validation_error, 3),
                   fixed(one.test.alignment_error, 3), fixed(one.test.on_sure, 3),
                   fixed(one.test.on_sure_or_possible, 3),
                   one.choice.head == best_head(first) ? "1" : "0"});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    program::Table spreads({"weights of", "AER, test", "mass on sure", "on sure or possible"});
    spread_row(spreads, trained, false);
    spread_row(spreads, trained, true);
    frame.terminal.table(spreads);
    save_heads(frame, trained);
}

// ---------------------------------------------------------------- interventions

namespace {

void show_agreement(Frame& frame, const std::vector<HeadChoice>& choices,
                    const std::vector<Agreement>& found)
{
    frame.terminal.introduce(
        "Is a head's weight the reason?",
        "As in chapter 8: each source word of some test sentences is deleted, and the drop of "
        "ln p of each target word is measured under teacher forcing. How often the word that "
        "counts most, by the largest weight, by deletion and by gradient times input, has a "
        "sure link to the target word, and how often it is the word that deletion names. The "
        "mean drop if the word with the largest weight is deleted, and if another one is. Of "
        "one seed.");
    program::Table table({"by", "sure", "same as deletion", "drop, largest", "drop, another"});
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Agreement& all = found[i];
        table.row({name_of(choices[i]), share(all.sure_weight, all.n_linked),
                   share(all.weight, all.n_words), fixed(mean_of(all.drops_attended), 2),
                   fixed(mean_of(all.drops_other), 2)});
    }
    const Agreement& any = found[0]; // these two ask no weight
    table.row({"deletion", share(any.sure_deletion, any.n_linked), "", "", ""});
    table.row({"gradient", share(any.sure_gradient, any.n_linked),
               share(any.gradient, any.n_words), "", ""});
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.line(
        fmt::format("Target words: {}, with a sure link: {}.", any.n_words, any.n_linked));
}

} // namespace

void reasons(Frame& frame, const TranslationTask& task, const AllTrained& trained,
             const Trainings& trainings)
{
    const std::size_t every = frame.options.quick ? 120 : 10 * trainings.evaluated_every();
    const EvaluationSet set = translation::every_nth(task.pairs.test, task.test, every);
    const EvaluationSet larger = translation::every_nth(task.pairs.test, task.test, every / 2);
    const Transformer<float>& transformer = trained.ablations[0].front().transformer;
    const std::vector<HeadChoice> choices =
        translation::head_choices(transformer.options().layer.n_heads);
    std::vector<Agreement> found(choices.size());
    std::vector<translation::SwappedNouns> nouns;
    side_by_side(frame, "interventions", choices.size() + 1, [&](std::size_t index) {
        if (index == 0) {
            nouns =
                bahdanau::swap_nouns(model_of(transformer), task, larger, frame.options.seed);
            return;
        }
        found[index - 1] = bahdanau::intervene(model_of(transformer, choices[index - 1]), task,
                                               set, frame.options.seed);
    });
    show_agreement(frame, choices, found);
    translation::report::save_agreement(frame, found);
    translation::report::show_nouns(
        frame,
        "French singular articles, as in chapter 8: the mean weight (of the heads) on the "
        "English article and on the noun, and the mean drop of the article's ln p if the "
        "English noun is replaced by another one, of the same French gender and of the "
        "other. Of one seed.",
        nouns);
}

} // namespace attn::transformer::report
