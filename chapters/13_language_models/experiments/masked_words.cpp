#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/masked_words/masked_words.hpp"
#include "common/grammar/readings.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace attn::language_models {

using program::fixed;
using program::Frame;
using text::Category;
using text::share_of;

namespace {

constexpr std::array measured_categories = {Category::determiner, Category::noun,
                                            Category::adjective, Category::verb};
constexpr std::size_t n_categories = measured_categories.size();
constexpr std::array<const char*, n_categories> category_names = {"determiner", "noun",
                                                                  "adjective", "verb"};

// ---------------------------------------------------------------- measures

/// Words of one kind, each hidden alone: how many, and how often something is right.
struct Filled
{
    std::size_t n = 0;
    double same_category = 0; ///< share that the model fills with a word of that kind
    double agreeing = 0;      ///< share of such a word that agrees with the one hidden
    double majority = 0;      ///< the same of the most frequent word of that kind
    double nearest_noun = 0;  ///< the same of a word that agrees with the nearest other noun
};

/// What a masked model has learnt.
struct MaskedMeasures
{
    double accuracy = 0; ///< share of the hidden words that it names
    double loss = 0;     ///< mean of -ln p of the hidden word
    double majority = 0; ///< share of the words that are the most frequent one
    std::array<Filled, n_categories> filled = {};
};

/// The most frequent word of each kind in the sentences that are learnt from, and of all.
struct MostFrequent
{
    std::array<std::string, n_categories> of_category = {};
    std::string of_all = {};
};

MostFrequent most_frequent(const FrenchSentences& sentences)
{
    std::array<std::map<std::string, std::size_t>, n_categories> counts;
    for (const text::SentencePair& pair : sentences.task.pairs.train) {
        for (std::size_t i = 0; i < pair.target.size(); ++i) {
            const auto category = static_cast<std::size_t>(text::category_at(pair.target, i));
            if (category < n_categories) {
                ++counts[category][pair.target[i]];
            }
        }
    }
    MostFrequent found;
    const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
    for (std::size_t k = 0; k < n_categories; ++k) {
        found.of_category[k] =
            std::max_element(counts[k].begin(), counts[k].end(), by_count)->first;
    }
    found.of_all = sentences.task.target.word(text::end_id + 1); // they stand by frequency
    return found;
}

/// Whether a word agrees with the noun that is nearest to it, itself left out; of two the one
/// before it. Without a noun it does not.
bool agrees_with_nearest_noun(const text::Words& sentence, std::size_t at, Category category)
{
    for (std::size_t distance = 1; distance < sentence.size(); ++distance) {
        for (const std::size_t i : {at - distance, at + distance}) { // at - distance may wrap
            if (i < sentence.size() && text::can_be(sentence[i], Category::noun)) {
                // A noun is said of in the third person.
                const bool third =
                    category != Category::verb ||
                    text::agree(sentence[at], category, "il", Category::pronoun) ||
                    text::agree(sentence[at], category, "ils", Category::pronoun);
                return third &&
                       text::agree(sentence[at], category, sentence[i], Category::noun);
            }
        }
    }
    return false;
}

/// A sentence as often as it has words, a different one hidden in each.
TokenBatch hidden_one_by_one(const FrenchSentences& sentences, const text::Words& sentence)
{
    const std::vector<TokenId> words = sentences.task.target.encode(sentence);
    TokenBatch batch = side_by_side(std::vector(words.size(), words));
    for (std::size_t i = 0; i < words.size(); ++i) {
        batch.answers[i * words.size() + i] = words[i];
        batch.tokens[i * words.size() + i] = sentences.mask;
    }
    return batch;
}

/// Sums of one sentence; shares are still counts.
MaskedMeasures count_sentence(const LanguageModel<float>& model,
                              const FrenchSentences& sentences, const text::Words& sentence,
                              const MostFrequent& frequent)
{
    const Array<float> p =
        fill_probabilities(model, hidden_one_by_one(sentences, sentence), sentences.mask);
    const std::size_t n_tokens = p.shape()[1];
    MaskedMeasures counts;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const float* const of_gap = p.data() + i * n_tokens;
        const auto best = std::max_element(of_gap, of_gap + n_tokens) - of_gap;
        const auto right = static_cast<std::size_t>(sentences.id(sentence[i]));
        counts.accuracy += best == static_cast<std::ptrdiff_t>(right) ? 1 : 0;
        counts.loss -= elementary::log(static_cast<double>(of_gap[right]));
        counts.majority += sentence[i] == frequent.of_all ? 1 : 0;
        const Category category = text::category_at(sentence, i);
        const auto k = static_cast<std::size_t>(category);
        if (k < n_categories) {
            const std::string filled =
                best == sentences.mask ? std::string() : sentences.task.target.word(best);
            const auto agrees = [&](const std::string& word) {
                return text::agree(word, category, sentence[i], category) ? 1 : 0;
            };
            Filled& of_kind = counts.filled[k];
            ++of_kind.n;
            of_kind.same_category += text::can_be(filled, category) ? 1 : 0;
            of_kind.agreeing += agrees(filled);
            of_kind.majority += agrees(frequent.of_category[k]);
            of_kind.nearest_noun += agrees_with_nearest_noun(sentence, i, category) ? 1 : 0;
        }
    }
    return counts;
}

/// Hides every word of the tested sentences, one after the other.
MaskedMeasures measure_masked(const LanguageModel<float>& model,
                              const FrenchSentences& sentences, std::size_t n_threads)
{
    const MostFrequent frequent = most_frequent(sentences);
    std::vector<MaskedMeasures> counts(sentences.tested.size());
    parallel::for_each_index(counts.size(), n_threads, [&](std::size_t i) {
        counts[i] = count_sentence(model, sentences, sentences.tested[i], frequent);
    });
    MaskedMeasures all;
    double n_words = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        n_words += static_cast<double>(sentences.tested[i].size());
        for (double MaskedMeasures::*const number :
             {&MaskedMeasures::accuracy, &MaskedMeasures::loss, &MaskedMeasures::majority}) {
            all.*number += counts[i].*number;
        }
        for (std::size_t k = 0; k < n_categories; ++k) {
            all.filled[k].n += counts[i].filled[k].n;
            for (double Filled::*const number : {&Filled::same_category, &Filled::agreeing,
                                                 &Filled::majority, &Filled::nearest_noun}) {
                all.filled[k].*number += counts[i].filled[k].*number;
            }
        }
    }
    for (double* const sum : {&all.accuracy, &all.loss, &all.majority}) {
        *sum /= n_words;
    }
    for (Filled& of_kind : all.filled) {
        const auto n = static_cast<double>(of_kind.n);
        for (double* const sum : {&of_kind.same_category, &of_kind.agreeing, &of_kind.majority,
                                  &of_kind.nearest_noun}) {
            *sum = share_of(*sum, n);
        }
    }
    return all;
}

} // namespace

// ---------------------------------------------------------------- printed and saved

void show_masked(Frame& frame, const FrenchSentences& sentences, const MaskedTraining& training,
                 const FrenchModels& models)
{
    std::vector<MaskedMeasures> measures;
    for (const LanguageModel<float>& model : models.masked) {
        measures.push_back(measure_masked(model, sentences, frame.options.threads));
    }
    frame.terminal.introduce(
        "Masked words",
        "An encoder alone, {} layers, {} numbers wide, learns French sentences of the grammar "
        "of which {} % of the words are hidden, in {} steps of {} sentences. Then each word of "
        "{} sentences that it has not seen is hidden by itself. Share of the words that are "
        "filled in with one of the right kind, and with one that agrees besides. Beside it two "
        "rules that are told the kind: always the most frequent word of that kind, and a word "
        "of that kind that agrees with the nearest other noun. Of three numbers, lowest, "
        "median "
        "and highest of the seeds.",
        models.masked[0].options().n_layers, models.masked[0].options().layer.d_model,
        fixed(100 * training.share, 0), training.n_steps, training.batch_size,
        sentences.tested.size());
    program::Table table(
        {"hidden", "words", "right kind", "agrees", "most frequent", "nearest noun"});
    program::Results saved({"seed", "kind"}, {{"words", fixed, 0},
                                              {"right_kind", fixed, 4},
                                              {"agrees", fixed, 4},
                                              {"most_frequent", fixed, 4},
                                              {"nearest_noun", fixed, 4}});
    for (std::size_t k = 0; k < n_categories; ++k) {
        const auto of = [&](double Filled::*number) {
            return program::spread(
                measures, [&](const MaskedMeasures& one) { return one.filled[k].*number; });
        };
        const bool is_noun = measured_categories[k] == Category::noun;
        table.row({category_names[k], std::to_string(measures[0].filled[k].n),
                   of(&Filled::same_category).text(2), of(&Filled::agreeing).text(2),
                   fixed(measures[0].filled[k].majority, 2),
                   is_noun ? "" : fixed(measures[0].filled[k].nearest_noun, 2)});
        for (std::size_t seed = 0; seed < measures.size(); ++seed) {
            const Filled& one = measures[seed].filled[k];
            saved.add({std::to_string(seed), category_names[k]},
                      {static_cast<double>(one.n), one.same_category, one.agreeing,
                       one.majority, one.nearest_noun});
        }
    }
    frame.terminal.table(table);
    frame.terminal.line();
    const auto accuracy =
        program::spread(measures, [](const MaskedMeasures& one) { return one.accuracy; });
    const auto perplexity = program::spread(
        measures, [](const MaskedMeasures& one) { return elementary::exp(one.loss); });
    frame.terminal.paragraph(fmt::format(
        "The very word that was hidden is named in {} of all cases, perplexity {}; the most "
        "frequent word of all would be right in {}.",
        accuracy.text(2), perplexity.text(1), fixed(measures[0].majority, 2)));
    frame.files.write_csv("trained_masked.csv", saved.columns());
}

} // namespace attn::language_models
