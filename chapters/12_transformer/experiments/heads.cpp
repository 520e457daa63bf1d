#include "chapters/12_transformer/experiments/experiments.hpp"

#include "chapters/08_bahdanau/interventions.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"
#include "common/translation/effects.hpp"
#include "common/translation/evaluation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::transformer {

using program::fixed;
using program::Frame;
using program::spread;
using translation::Agreement;
using translation::Effects;
using translation::report::linked_words;
using translation::report::links_of_pair;
using translation::report::mean_of;
using translation::report::share;
using translation::report::top;

// ---------------------------------------------------------------- the choice of a head

std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const translation::EvaluationSet& validation,
                                        const translation::EvaluationSet& test)
{
    std::vector<HeadMeasures> all;
    for (const HeadChoice& choice :
         translation::head_choices(transformer.options().layer.n_heads)) {
        const TranslationModel model = model_of(transformer, choice);
        const auto chosen_on = translation::predict(model, validation);
        all.push_back(
            {choice, translation::alignment_of(chosen_on, validation.pairs).error(),
             translation::measures_of(translation::predict(model, test), test.pairs, true)});
    }
    return all;
}

std::size_t best_head(const std::vector<HeadMeasures>& measures)
{
    const HeadMeasures* best = nullptr;
    for (const HeadMeasures& one : measures) {
        if (one.choice.head &&
            (best == nullptr || one.validation_error < best->validation_error)) {
            best = &one;
        }
    }
    expect(best != nullptr, "best_head: there is no head among {} measures", measures.size());
    return *best->choice.head;
}

namespace {

using AllHeads = std::vector<std::vector<HeadMeasures>>; // [n_seeds][n_heads + 1]

/// The lowest, middle and highest number of the chosen weights in each seed.
void spread_row(program::Table& table, const AllHeads& heads, bool chosen)
{
    std::vector<Measures> measures;
    for (const std::vector<HeadMeasures>& all : heads) {
        measures.push_back(all[chosen ? best_head(all) + 1 : 0].test);
    }
    const auto text = [&](double Measures::*number) {
        return spread(measures, [&](const Measures& one) { return one.*number; }).text(3);
    };
    table.row({chosen ? "chosen head" : "mean of the heads", text(&Measures::alignment_error),
               text(&Measures::on_sure), text(&Measures::on_sure_or_possible)});
}

void save_heads(Frame& frame, const AllHeads& heads)
{
    program::Results results({"seed", "head"}, {{"chosen", fixed, 0},
                                                {"validation", fixed, 4},
                                                {"test", fixed, 4},
                                                {"on_sure", fixed, 4},
                                                {"on_sure_or_possible", fixed, 4}});
    for (std::size_t seed = 0; seed < heads.size(); ++seed) {
        for (const HeadMeasures& one : heads[seed]) {
            results.add({std::to_string(seed), name_of(one.choice)},
                        {one.choice.head == best_head(heads[seed]) ? 1.0 : 0.0,
                         one.validation_error, one.test.alignment_error, one.test.on_sure,
                         one.test.on_sure_or_possible});
        }
    }
    frame.files.write_csv("trained_heads.csv", results.columns());
}

} // namespace

AllHeads show_heads(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    const EvaluationSet validation = translation::every_nth(
        task.pairs.validation, task.validation, frame.options.quick ? 60 : 2);
    AllHeads heads(trained.ablations[0].size());
    parallel::for_each_index(heads.size(), frame.options.threads, [&](std::size_t seed) {
        heads[seed] =
            measure_heads(trained.ablations[0][seed].transformer, validation, trained.set);
    });
    frame.terminal.introduce(
        "What the heads attend to",
        "Attention of the decoder to the source, as the mean of the heads and head by head. "
        "AER on sentences to validate on, by which a head is chosen, and on those of the "
        "test; mass is the mean weight on right words of the test. First of one seed, then "
        "lowest, median and highest of the seeds.");
    program::Table table({"weights of", "AER, validation", "AER, test", "mass on sure",
                          "on sure or possible", "chosen"});
    const std::vector<HeadMeasures>& first = heads.front();
    for (const HeadMeasures& one : first) {
        table.row({name_of(one.choice), fixed(one.validation_error, 3),
                   fixed(one.test.alignment_error, 3), fixed(one.test.on_sure, 3),
                   fixed(one.test.on_sure_or_possible, 3),
                   one.choice.head == best_head(first) ? "1" : "0"});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    program::Table spreads({"weights of", "AER, test", "mass on sure", "on sure or possible"});
    spread_row(spreads, heads, false);
    spread_row(spreads, heads, true);
    frame.terminal.table(spreads);
    save_heads(frame, heads);
    return heads;
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

void show_interventions(Frame& frame, const TranslationTask& task, const AllTrained& trained,
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
    program::side_by_side(frame, "interventions", choices.size() + 1, [&](std::size_t index) {
        if (index == 0) {
            nouns =
                bahdanau::swap_nouns(model_of(transformer), task, larger, frame.options.seed);
            return;
        }
        found[index - 1] = bahdanau::intervene(model_of(transformer, choices[index - 1]), task,
                                               set, frame.options.seed);
    });
    show_agreement(frame, choices, found);
    std::vector<std::string> keys;
    for (const HeadChoice& choice : choices) {
        keys.push_back(program::key_name(name_of(choice)));
    }
    translation::report::save_agreement(frame, "weights", keys, found);
    translation::report::show_nouns(
        frame,
        "French singular articles, as in chapter 8: the mean weight (of the heads) on the "
        "English article and on the noun, and the mean drop of the article's ln p if the "
        "English noun is replaced by another one, of the same French gender and of the "
        "other. Of one seed.",
        nouns);
}

// ---------------------------------------------------------------- one sentence

namespace {

/// What every head does in one sentence: the mean first.
std::vector<Effects> effects_by_choice(const Transformer<float>& transformer,
                                       const TranslationTask& task, std::size_t sentence,
                                       std::uint64_t seed)
{
    const text::NumberedPair& pair = task.test[sentence];
    std::vector<Effects> all;
    for (const HeadChoice& choice :
         translation::head_choices(transformer.options().layer.n_heads)) {
        random::Generator generator(seed, random::Stream::head_effects, sentence);
        all.push_back(
            bahdanau::effects_of(model_of(transformer, choice), pair,
                                 bahdanau::other_words(pair.source, task.source, generator)));
    }
    return all;
}

/// All heads' weights in one table: a column a head, for a figure of small heat maps.
void save_heat_maps(Frame& frame, const std::vector<Effects>& effects,
                    const text::SentencePair& pair)
{
    std::vector<std::string> names = {"source", "target", "source_word", "target_word", "mean"};
    for (std::size_t head = 1; head < effects.size(); ++head) {
        names.push_back(fmt::format("head_{}", head));
    }
    std::vector<std::vector<std::string>> cells(names.size());
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        for (std::size_t j = 0; j < pair.source.size(); ++j) {
            cells[0].push_back(std::to_string(j));
            cells[1].push_back(std::to_string(t));
            cells[2].push_back(pair.source[j]);
            cells[3].push_back(pair.target[t]);
            for (std::size_t view = 0; view < effects.size(); ++view) {
                cells[4 + view].push_back(fixed(effects[view].weights(t, j), 4));
            }
        }
    }
    frame.files.write_csv("trained_alignment.csv", names, cells);
    translation::report::save_links(frame, pair);
}

/// The weights of one head of the encoder for a sentence alone: [n, n].
Matrix encoder_weights(const AllWeights<float>& weights, std::size_t head)
{
    const Array<float>& all = weights.encoder[0];
    const std::size_t n = all.shape()[2];
    Matrix result = Matrix::from_shape({n, n});
    for (std::size_t i = 0; i < n * n; ++i) {
        result.data()[i] = static_cast<double>(all.data()[head * n * n + i]);
    }
    return result;
}

void save_widget(Frame& frame, const TranslationTask& task,
                 const Transformer<float>& transformer, std::size_t chosen)
{
    const std::vector<std::size_t> shown =
        translation::report::shown_sentences(task.pairs.test, chosen);
    const std::vector<HeadChoice> choices =
        translation::head_choices(transformer.options().layer.n_heads);
    program::WidgetData decoder;
    program::WidgetData encoder;
    std::vector<std::string> views;
    for (const HeadChoice& choice : choices) {
        views.push_back(name_of(choice));
    }
    decoder.set("views", views);
    views.erase(views.begin());
    encoder.set("views", views);
    for (program::WidgetData* data : {&decoder, &encoder}) {
        data->set("n_sentences", static_cast<double>(shown.size()), 4);
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const text::SentencePair& pair = task.pairs.test[shown[i]];
        decoder.set(fmt::format("source_{}", i), pair.source);
        decoder.set(fmt::format("target_{}", i), pair.target);
        decoder.set(fmt::format("links_{}", i), links_of_pair(pair), 4);
        const std::vector<Effects> effects =
            effects_by_choice(transformer, task, shown[i], frame.options.seed);
        for (std::size_t view = 0; view < effects.size(); ++view) {
            decoder.set(fmt::format("weights_{}_{}", i, view), effects[view].weights, 3);
            decoder.set(fmt::format("drops_{}_{}", i, view), effects[view].deletion, 3);
        }
        // The encoder's: keys left, queries right, the same words.
        const autograd::NoGradient<float> forwards;
        const std::vector<text::WordId>& ids = task.test[shown[i]].source;
        const std::vector<std::size_t> lengths = {ids.size()};
        AllWeights<float> weights;
        transformer.encode(transformer.embed({ids, lengths, ids.size()}), lengths, nullptr,
                           &weights);
        encoder.set(fmt::format("source_{}", i), pair.source);
        encoder.set(fmt::format("target_{}", i), pair.source);
        for (std::size_t head = 0; head < views.size(); ++head) {
            encoder.set(fmt::format("weights_{}_{}", i, head), encoder_weights(weights, head),
                        3);
        }
    }
    frame.files.write_widget_data("trained_12_transformer_heads.data.js", decoder);
    frame.files.write_widget_data("trained_12_transformer_encoder.data.js", encoder);
}

/// A pair whose source words are numbered where a word stands more than once: our 1, our 2.
text::SentencePair numbered(const text::SentencePair& pair)
{
    text::SentencePair result = pair;
    for (std::size_t i = 0; i < pair.source.size(); ++i) {
        const auto here = pair.source.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::count(pair.source.begin(), pair.source.end(), *here) > 1) {
            const auto before = std::count(pair.source.begin(), here, *here);
            result.source[i] += fmt::format(" {}", before + 1);
        }
    }
    return result;
}

/// Translations of the first sentences of some lengths.
void show_examples(Frame& frame, const TranslationTask& task,
                   const Transformer<float>& transformer)
{
    const std::vector<std::size_t> lengths = {6, 12, 18, 24, 30};
    const EvaluationSet set =
        translation::first_of_lengths(task.pairs.test, task.test, lengths);
    const Evaluation evaluation = translation::evaluate(model_of(transformer), task, set);
    frame.terminal.introduce("Translations", "Of growing length. Of one seed.");
    translation::report::show_translations(frame, set.pairs, evaluation, lengths);
}

} // namespace

void show_sentence(Frame& frame, const TranslationTask& task, const AllTrained& trained,
                   const std::vector<HeadMeasures>& heads)
{
    const std::size_t chosen = translation::example_sentence(task.pairs.test);
    const text::SentencePair& pair = task.pairs.test[chosen];
    const Transformer<float>& transformer = trained.ablations[0].front().transformer;
    const std::vector<Effects> effects =
        effects_by_choice(transformer, task, chosen, frame.options.seed);
    const std::size_t best = best_head(heads);
    frame.terminal.introduce(
        "One sentence, word by word",
        "Chapter 8's sentence with its right translation. For each word: the "
        "grammar's sure links, the source word with the largest weight in the "
        "mean of the heads and in head {}, the one chosen on other sentences, and "
        "the word whose deletion lowers ln p most, with the drop. A word that stands twice in "
        "the source is numbered. Of one seed.",
        best + 1);
    frame.terminal.line(text::text_of(pair.source));
    frame.terminal.line();
    program::Table table({"word", "sure", "mean", "chosen head", "deletion"});
    const text::SentencePair shown = numbered(pair);
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        table.row({pair.target[t], linked_words(shown, t, true),
                   top(effects[0].weights, t, shown.source),
                   top(effects[best + 1].weights, t, shown.source),
                   top(effects[0].deletion, t, shown.source)});
    }
    frame.terminal.table(table);
    show_examples(frame, task, transformer);
    save_heat_maps(frame, effects, pair);
    save_widget(frame, task, transformer, chosen);
}

} // namespace attn::transformer
