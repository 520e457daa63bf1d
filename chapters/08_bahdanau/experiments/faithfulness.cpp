#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include "chapters/08_bahdanau/interventions.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"

namespace attn::bahdanau {

using program::fixed;
using program::Frame;
using program::side_by_side;
using program::significant;
using translation::DropsOfClass;
using translation::weight_bounds;
using translation::report::mean_of;
using translation::report::share;

const std::vector<std::string>& intervened_kinds()
{
    static const std::vector<std::string> names = {"additive_before", "general_after",
                                                   "location"};
    return names;
}

namespace {

void show_agreement(Frame& frame, const std::vector<Agreement>& found)
{
    frame.terminal.introduce(
        "Is the weight the reason?",
        "Each source word of some test sentences is deleted, and the drop of ln p of each "
        "target word is measured under teacher forcing. Which source word counts most: that of "
        "the largest weight, of the costliest deletion, or of the largest gradient times "
        "input? How often that word has a sure link to the target word. Of one seed.");
    program::Table links({"context", "target words", "weight", "deletion", "gradient"});
    program::Table same({"context", "weight", "gradient", "replacement"});
    program::Table drops({"context", "largest weight", "another word"});
    for (std::size_t k = 0; k < intervened_kinds().size(); ++k) {
        const Agreement& all = found[k];
        const std::string& name = kind_named(intervened_kinds()[k]).name;
        links.row({name, std::to_string(all.n_linked), share(all.sure_weight, all.n_linked),
                   share(all.sure_deletion, all.n_linked),
                   share(all.sure_gradient, all.n_linked)});
        same.row({name, share(all.weight, all.n_words), share(all.gradient, all.n_words),
                  share(all.replacement, all.n_words)});
        drops.row(
            {name, fixed(mean_of(all.drops_attended), 2), fixed(mean_of(all.drops_other), 2)});
    }
    frame.terminal.table(links);
    frame.terminal.line();
    frame.terminal.paragraph("How often each names the same word as deletion:");
    frame.terminal.line();
    frame.terminal.table(same);
    frame.terminal.line();
    frame.terminal.paragraph("The mean drop of ln p if the word with the largest weight is "
                             "deleted, and if another one is:");
    frame.terminal.line();
    frame.terminal.table(drops);
}

/// How often one annotation's knock-out names the same source word as other measures do.
struct Knockouts
{
    std::size_t n_words = 0;      ///< target words
    std::size_t weight = 0;       ///< the largest weight names the same word
    std::size_t deletion = 0;     ///< deletion does
    std::vector<double> attended; ///< drops, of the annotation with the largest weight
    std::vector<double> another;  ///< the mean of all others
};

Knockouts knock_out(const seq2seq::Translator<float>& translator, const EvaluationSet& set)
{
    const translation::TranslationModel model = model_of(translator);
    Knockouts found;
    for (const text::NumberedPair& pair : set.numbered) {
        const Matrix drops = knockout_drops(translator, pair);
        const std::vector<std::size_t> largest = translation::largest_of(drops);
        const std::vector<std::size_t> by_deletion =
            translation::largest_of(deletion_drops(model, pair));
        const std::vector<std::size_t> by_weight =
            translation::largest_of(attention_weights(model, pair));
        for (std::size_t t = 0; t < largest.size(); ++t) {
            found.n_words += 1;
            found.weight += by_weight[t] == largest[t] ? 1U : 0U;
            found.deletion += by_deletion[t] == largest[t] ? 1U : 0U;
            double sum = 0;
            for (std::size_t j = 0; j < drops.shape(1); ++j) {
                sum += drops(t, j);
            }
            const double own = drops(t, by_weight[t]);
            found.attended.push_back(own);
            found.another.push_back((sum - own) / static_cast<double>(drops.shape(1) - 1));
        }
    }
    return found;
}

void show_knockouts(Frame& frame, const std::vector<Knockouts>& found)
{
    frame.terminal.introduce(
        "One annotation knocked out",
        "One annotation is replaced by the mean of the others; encoder and first state stay. "
        "Take the annotation whose loss costs most. Weight: how often it also has the largest "
        "weight. Deletion: how often its word is the one whose deletion costs most. Then the "
        "mean drop of ln p if the annotation with the largest weight is lost, and if another "
        "one is. Of one seed.");
    program::Table table({"context", "weight", "deletion", "largest weight", "another one"});
    program::Results saved({"kind"}, {{"n_words", fixed, 0},
                                      {"weight", fixed, 0},
                                      {"deletion", fixed, 0},
                                      {"drop_attended", fixed, 4},
                                      {"drop_other", fixed, 4}});
    for (std::size_t k = 0; k < intervened_kinds().size(); ++k) {
        const Knockouts& all = found[k];
        table.row({kind_named(intervened_kinds()[k]).name, share(all.weight, all.n_words),
                   share(all.deletion, all.n_words), fixed(mean_of(all.attended), 2),
                   fixed(mean_of(all.another), 2)});
        saved.add({intervened_kinds()[k]},
                  {static_cast<double>(all.n_words), static_cast<double>(all.weight),
                   static_cast<double>(all.deletion), mean_of(all.attended),
                   mean_of(all.another)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_knockout.csv", saved.columns());
}

void show_pairs_of_measures(Frame& frame, const std::vector<Agreement>& found,
                            const std::vector<Knockouts>& knockouts)
{
    frame.terminal.introduce(
        "How often two measures name the same word",
        "Shares of the target words for which two measures name the same source word as the "
        "one that counts most. Of one seed.");
    program::Table table(
        {"context", "weight, knock-out", "weight, deletion", "replacement, deletion"});
    for (std::size_t k = 0; k < intervened_kinds().size(); ++k) {
        table.row({kind_named(intervened_kinds()[k]).name,
                   share(knockouts[k].weight, knockouts[k].n_words),
                   share(found[k].weight, found[k].n_words),
                   share(found[k].replacement, found[k].n_words)});
    }
    frame.terminal.table(table);
}

void show_drops(Frame& frame, const std::vector<Agreement>& found)
{
    frame.terminal.introduce(
        "What a weight says of the harm",
        "Pairs of a target and a source word by the weight between them, in Bahdanau's model: "
        "how many there are, and the mean drop of ln p if the source word is deleted, for "
        "pairs with a sure link and pairs without any. Of one seed.");
    program::Table table({"weight up to", "sure", "drop", "no link", "drop of these"});
    program::CsvColumns csv;
    csv.add("up_to", weight_bounds, fixed, 2);
    for (std::size_t k = 0; k < intervened_kinds().size(); ++k) {
        std::vector<std::vector<double>> columns(4);
        for (const DropsOfClass& drops : found[k].classes) {
            columns[0].push_back(static_cast<double>(drops.linked.size()));
            columns[1].push_back(mean_of(drops.linked));
            columns[2].push_back(static_cast<double>(drops.unlinked.size()));
            columns[3].push_back(mean_of(drops.unlinked));
        }
        csv.add("n_sure_" + intervened_kinds()[k], columns[0], significant, 7);
        csv.add("sure_" + intervened_kinds()[k], columns[1], fixed, 4);
        csv.add("n_none_" + intervened_kinds()[k], columns[2], significant, 7);
        csv.add("none_" + intervened_kinds()[k], columns[3], fixed, 4);
        for (std::size_t c = 0; k == 0 && c < weight_bounds.size(); ++c) {
            const auto drop = [&](std::size_t pairs) { // 0 stands beside a count of 0
                return fixed(columns[pairs][c] > 0 ? columns[pairs + 1][c] : 0, 2);
            };
            table.row({fixed(weight_bounds[c], 2), fixed(columns[0][c], 0), drop(0),
                       fixed(columns[2][c], 0), drop(2)});
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_reasons.csv", csv);
}

} // namespace

void show_faithfulness(Frame& frame, const TranslationTask& task, const AllTrained& trained,
                       const Trainings& trainings)
{
    const std::size_t every = frame.options.quick ? 120 : 10 * trainings.evaluated_every();
    const EvaluationSet set = translation::every_nth(task.pairs.test, task.test, every);
    const EvaluationSet larger = translation::every_nth(task.pairs.test, task.test, every / 2);
    std::vector<Agreement> found(intervened_kinds().size());
    std::vector<Knockouts> knockouts(intervened_kinds().size());
    std::vector<SwappedNouns> nouns;
    side_by_side(frame, "interventions", intervened_kinds().size() + 1, [&](std::size_t index) {
        if (index == 0) {
            nouns = swap_nouns(model_of(trained.of_kind("additive_before").front().translator),
                               task, larger, frame.options.seed);
            return;
        }
        const std::string& name = intervened_kinds()[index - 1];
        found[index - 1] = intervene(model_of(trained.of_kind(name).front().translator), task,
                                     set, frame.options.seed);
        knockouts[index - 1] = knock_out(trained.of_kind(name).front().translator, set);
    });
    show_pairs_of_measures(frame, found, knockouts);
    show_agreement(frame, found);
    show_knockouts(frame, knockouts);
    show_drops(frame, found);
    translation::report::show_nouns(
        frame,
        "French singular articles in Bahdanau's model: the mean weight on the English article "
        "and on the noun, and the mean drop of the article's ln p if the English noun is "
        "replaced by another one, of the same French gender and of the other. Of one seed.",
        nouns);

    translation::report::save_agreement(frame, "kind", intervened_kinds(), found);
}

} // namespace attn::bahdanau
