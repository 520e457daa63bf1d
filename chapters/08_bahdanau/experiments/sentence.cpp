#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include "chapters/08_bahdanau/interventions.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/widget_data.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace attn::bahdanau {

using program::fixed;
using program::Frame;
using translation::report::linked_words;
using translation::report::top;

AttentionOfWord attention_of(const Evaluation& evaluation,
                             const std::vector<text::SentencePair>& pairs,
                             const std::string& word)
{
    AttentionOfWord attention;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto is_it = [&](std::size_t target) { return pairs[i].target[target] == word; };
        for (std::size_t t = 0; t < pairs[i].target.size(); ++t) {
            attention.n += is_it(t) ? 1U : 0U;
        }
        for (const text::Link& link : pairs[i].sure) {
            attention.sure +=
                is_it(link.target) ? evaluation.weights[i][link.target][link.source] : 0.0;
        }
        for (const text::Link& link : pairs[i].possible) {
            attention.possible +=
                is_it(link.target) ? evaluation.weights[i][link.target][link.source] : 0.0;
        }
    }
    return attention;
}

namespace {

/// What replaces each word of one sentence.
std::vector<text::WordId> replacements(const TranslationTask& task, std::size_t sentence,
                                       std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::one_sentence, sentence);
    return other_words(task.test[sentence].source, task.source, generator);
}

/// Effects of one sentence in one translator.
Effects effects_in(const TrainedTranslator& trained, const TranslationTask& task,
                   std::size_t sentence, std::uint64_t seed)
{
    return effects_of(model_of(trained.translator), task.test[sentence],
                      replacements(task, sentence, seed));
}

/// One target word by every measure: what each source word means to it.
void show_one_word(Frame& frame, const TranslationTask& task, const TrainedTranslator& trained,
                   std::size_t sentence, const Effects& effects)
{
    constexpr std::size_t t = 1; // "ami", which has changed its order with "femme"
    const text::Words& source = task.pairs.test[sentence].source;
    const std::vector<text::WordId> others = replacements(task, sentence, frame.options.seed);
    const Matrix knockouts = knockout_drops(trained.translator, task.test[sentence]);
    frame.terminal.introduce(
        "One word, four measures",
        "Bahdanau's model in the same sentence, about to write {}: weights, and drops of ln p "
        "by "
        "the deletion of a source word, its replacement by another one, and the knock-out of "
        "its annotation. Of one seed.",
        task.pairs.test[sentence].target[t]);
    program::Table table({"source", "weight", "deletion", "replacement", "by", "knock-out"});
    for (std::size_t j = 0; j < source.size(); ++j) {
        table.row({source[j], fixed(effects.weights(t, j), 2), fixed(effects.deletion(t, j), 2),
                   fixed(effects.replacement(t, j), 2),
                   std::string(task.source.word(others[j])), fixed(knockouts(t, j), 2)});
    }
    frame.terminal.table(table);
    std::vector<std::size_t> positions(source.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    program::CsvColumns csv;
    csv.add("source", positions, fixed, 0).add("source_word", source);
    for (const auto& [name, numbers] : {std::pair{"weight", &effects.weights},
                                        {"deletion", &effects.deletion},
                                        {"replacement", &effects.replacement},
                                        {"knockout", &knockouts}}) {
        csv.add(name, Vector(xt::row(*numbers, t)), fixed, 4);
    }
    frame.files.write_csv("trained_one_word.csv", csv);
}

void save_heat_map(Frame& frame, const Matrix& weights, const text::SentencePair& pair)
{
    std::vector<std::vector<std::string>> cells(5);
    for (std::size_t t = 0; t < weights.shape(0); ++t) {
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            cells[0].push_back(std::to_string(j));
            cells[1].push_back(std::to_string(t));
            cells[2].push_back(fixed(weights(t, j), 4));
            cells[3].push_back(pair.source[j]);
            cells[4].push_back(pair.target[t]);
        }
    }
    frame.files.write_csv("trained_alignment.csv",
                          {"source", "target", "weight", "source_word", "target_word"}, cells);
    translation::report::save_links(frame, pair);
}

void save_widget(Frame& frame, const TranslationTask& task, const AllTrained& trained,
                 std::size_t example)
{
    const std::vector<std::size_t> shown =
        translation::report::shown_sentences(task.pairs.test, example);
    program::WidgetData data;
    std::vector<std::string> views;
    for (const std::string& name : intervened_kinds()) {
        views.push_back(kind_named(name).name);
    }
    data.set("views", views);
    data.set("n_sentences", static_cast<double>(shown.size()), 4);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const text::SentencePair& pair = task.pairs.test[shown[i]];
        data.set(fmt::format("source_{}", i), pair.source);
        data.set(fmt::format("target_{}", i), pair.target);
        data.set(fmt::format("links_{}", i), translation::report::links_of_pair(pair), 4);
        for (std::size_t view = 0; view < intervened_kinds().size(); ++view) {
            const Effects effects =
                effects_in(trained.of_kind(intervened_kinds()[view]).front(), task, shown[i],
                           frame.options.seed);
            data.set(fmt::format("weights_{}_{}", i, view), effects.weights, 3);
            data.set(fmt::format("drops_{}_{}", i, view), effects.deletion, 3);
        }
    }
    frame.files.write_widget_data("trained_08_bahdanau_alignment.data.js", data);
}

/// Words that agree with others, and those of negation, which translate a helper verb too.
void show_agreeing_words(Frame& frame, const AllTrained& trained)
{
    frame.terminal.introduce(
        "Words that have to agree",
        "The weights of some French words, wherever they stand in the right translations: the "
        "share on the words that they translate (sure links), and the share on words that "
        "decide their form (possible links): the noun of an article, the verb of a pronoun. "
        "Of one seed.");
    program::Results results({"word"}, {{"times", fixed, 0},
                                        {"additive_sure", fixed, 2},
                                        {"additive_possible", fixed, 2},
                                        {"general_sure", fixed, 2},
                                        {"general_possible", fixed, 2}});
    for (const char* word : {"le", "la", "les", "un", "une", "mon", "ma", "ne", "pas"}) {
        std::vector<double> row;
        for (const char* name : {"additive_before", "general_after"}) {
            const AttentionOfWord attention =
                attention_of(trained.of_kind(name).front().evaluation, trained.set.pairs, word);
            const double n = std::max(1.0, static_cast<double>(attention.n));
            if (row.empty()) {
                row.push_back(static_cast<double>(attention.n));
            }
            row.insert(row.end(), {attention.sure / n, attention.possible / n});
        }
        results.add({word}, row);
    }
    frame.terminal.table(results.table({"word",
                                        {{"times", "times", 0},
                                         {"additive: sure", "additive_sure", 2},
                                         {"possible", "additive_possible", 2},
                                         {"general, s_t: sure", "general_sure", 2},
                                         {"possible", "general_possible", 2}}}));
    frame.files.write_csv("trained_words.csv", results.columns());
}

/// Translations of the first sentences of some lengths.
void show_examples(Frame& frame, const TranslationTask& task,
                   const Translator<float>& translator)
{
    const std::vector<std::size_t> lengths = {6, 12, 18, 24, 30};
    const EvaluationSet set =
        translation::first_of_lengths(task.pairs.test, task.test, lengths);
    const Evaluation evaluation = translation::evaluate(model_of(translator), task, set);
    frame.terminal.introduce("Translations",
                             "By Bahdanau's model, of growing length. Of one seed.");
    translation::report::show_translations(frame, set.pairs, evaluation, lengths);
}

} // namespace

void show_sentence(Frame& frame, const TranslationTask& task, const AllTrained& trained)
{
    const std::size_t example = translation::example_sentence(task.pairs.test);
    const text::SentencePair& pair = task.pairs.test[example];
    const TrainedTranslator& bahdanaus = trained.of_kind("additive_before").front();
    const Effects effects = effects_in(bahdanaus, task, example, frame.options.seed);
    frame.terminal.introduce(
        "One sentence, word by word",
        "Bahdanau's model writes the right translation of the sentence below. For each word: "
        "the grammar's own links, the source word with the largest weight, and the one whose "
        "deletion lowers ln p most, with the drop. Of one seed.");
    frame.terminal.line(text::text_of(pair.source));
    frame.terminal.line();
    program::Table table({"word", "sure", "possible", "largest weight", "deletion"});
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        table.row({pair.target[t], linked_words(pair, t, true), linked_words(pair, t, false),
                   top(effects.weights, t, pair.source),
                   top(effects.deletion, t, pair.source)});
    }
    frame.terminal.table(table);
    show_one_word(frame, task, bahdanaus, example, effects);
    show_agreeing_words(frame, trained);
    show_examples(frame, task, bahdanaus.translator);
    save_heat_map(frame, effects.weights, pair);
    save_widget(frame, task, trained, example);
}

} // namespace attn::bahdanau
