#include "chapters/08_bahdanau/interventions.hpp"
#include "chapters/12_transformer/experiments/report.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/translation/effects.hpp"
#include "common/translation/evaluation.hpp"

#include <fmt/format.h>

namespace attn::transformer::report {

using program::fixed;
using program::Frame;
using translation::Effects;
using translation::report::linked_words;
using translation::report::links_of_pair;
using translation::report::top;

namespace {

/// What every head does in one sentence: the mean first.
std::vector<Effects> effects_by_choice(const Transformer<float>& transformer,
                                       const TranslationTask& task, std::size_t sentence,
                                       std::uint64_t seed)
{
    constexpr std::uint64_t stream = 126ULL << 40U;
    const text::NumberedPair& pair = task.test[sentence];
    std::vector<Effects> all;
    for (const HeadChoice& choice :
         translation::head_choices(transformer.options().layer.n_heads)) {
        random::Generator generator(seed, stream + sentence);
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
                 const Transformer<float>& transformer, std::size_t telling)
{
    const std::vector<std::size_t> shown =
        translation::report::shown_sentences(task.pairs.test, telling);
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
        transformer.read(transformer.embed({ids, lengths, ids.size()}), lengths, nullptr,
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

void sentence(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    const std::size_t telling = translation::example_sentence(task.pairs.test);
    const text::SentencePair& pair = task.pairs.test[telling];
    const Transformer<float>& transformer = trained.ablations[0].front().transformer;
    const std::vector<Effects> effects =
        effects_by_choice(transformer, task, telling, frame.options.seed);
    const std::size_t best = best_head(trained.heads.front());
    frame.terminal.introduce(
        "One sentence, word by word",
        "Chapter 8's sentence with its right translation. For each word: the "
        "grammar's sure links, the source word with the largest weight in the "
        "mean of the heads and in head {}, the one chosen on other sentences, and "
        "the word whose deletion lowers ln p most, with the drop. Of one seed.",
        best + 1);
    frame.terminal.line(text::text_of(pair.source));
    frame.terminal.line();
    program::Table table({"word", "sure", "mean", "chosen head", "deletion"});
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        table.row({pair.target[t], linked_words(pair, t, true),
                   top(effects[0].weights, t, pair.source),
                   top(effects[best + 1].weights, t, pair.source),
                   top(effects[0].deletion, t, pair.source)});
    }
    frame.terminal.table(table);
    show_examples(frame, task, transformer);
    save_heat_maps(frame, effects, pair);
    save_widget(frame, task, transformer, telling);
}

} // namespace attn::transformer::report
