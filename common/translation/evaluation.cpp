#include "common/translation/evaluation.hpp"

#include "common/autograd/softmax.hpp"
#include "common/program/csv_columns.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace attn::translation {

EvaluationSet every_nth(const std::vector<text::SentencePair>& pairs,
                        const std::vector<text::NumberedPair>& numbered, std::size_t every)
{
    expect(every >= 1 && pairs.size() == numbered.size(),
           "every_nth: each {}th of {} pairs in words and {} in numbers", every, pairs.size(),
           numbered.size());
    EvaluationSet part;
    for (std::size_t i = 0; i < pairs.size(); i += every) {
        part.pairs.push_back(pairs[i]);
        part.numbered.push_back(numbered[i]);
    }
    return part;
}

namespace {

/// The first pair whose source has so many words, or the end.
auto first_of_length(const std::vector<text::SentencePair>& pairs, std::size_t length)
{
    return std::find_if(pairs.begin(), pairs.end(), [length](const text::SentencePair& pair) {
        return pair.source.size() == length;
    });
}

} // namespace

EvaluationSet first_of_lengths(const std::vector<text::SentencePair>& pairs,
                               const std::vector<text::NumberedPair>& numbered,
                               const std::vector<std::size_t>& lengths)
{
    expect(pairs.size() == numbered.size(),
           "first_of_lengths: {} pairs in words and {} in numbers", pairs.size(),
           numbered.size());
    EvaluationSet part;
    for (const std::size_t length : lengths) {
        const auto found = first_of_length(pairs, length);
        if (found != pairs.end()) {
            part.pairs.push_back(*found);
            part.numbered.push_back(numbered[static_cast<std::size_t>(found - pairs.begin())]);
        }
    }
    return part;
}

EvaluationSet numbered_by(const TranslationTask& task,
                          const std::vector<text::SentencePair>& pairs)
{
    return {pairs, text::numbered_pairs(pairs, task.source, task.target)};
}

namespace {

constexpr std::size_t evaluated_at_once = 64; // sentences

/// Counts the words of one sentence of a batch.
text::TokenScores token_scores(const Array<float>& log_p, const text::Batch& batch,
                               std::size_t row)
{
    const std::size_t n_words = log_p.shape()[1];
    text::TokenScores scores;
    for (std::size_t t = 0; t < batch.target_lengths[row]; ++t) {
        const float* const of_words = log_p.data() + (t * batch.n_pairs + row) * n_words;
        const auto answer = static_cast<std::size_t>(batch.answers[row * batch.n_target + t]);
        const auto best =
            static_cast<std::size_t>(std::max_element(of_words, of_words + n_words) - of_words);
        scores += {1, best == answer ? 1U : 0U, static_cast<double>(of_words[answer])};
    }
    return scores;
}

/// The weights of the steps that wrote one sentence's words, the end symbol left out.
text::AttentionWeights weights_of(const DecoderOutput<float>& written, const text::Batch& batch,
                                  std::size_t row)
{
    text::AttentionWeights weights;
    for (std::size_t t = 0; t + 1 < batch.target_lengths[row]; ++t) {
        const Array<float>& of_step = written.weights[t].value();
        const float* const first = of_step.data() + row * of_step.shape()[1];
        weights.emplace_back(first, first + batch.source_lengths[row]);
    }
    return weights;
}

} // namespace

Evaluation predict(const TranslationModel& model, const EvaluationSet& set)
{
    expect(set.pairs.size() == set.numbered.size(),
           "predict: {} pairs in words and {} in numbers", set.pairs.size(),
           set.numbered.size());
    const autograd::NoGradient<float> forwards;
    Evaluation evaluation;
    for (const auto& chosen : text::evaluation_plan(set.numbered.size(), evaluated_at_once)) {
        const text::Batch batch = text::batch_of(set.numbered, chosen);
        const DecoderOutput<float> written = model.decode(batch);
        const Variable<float> log_p = log_softmax(written.logits);
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const text::SentencePair& pair = set.pairs[batch.pairs[row]];
            evaluation.translations.push_back(
                {pair.source.size(), {}, pair.target, token_scores(log_p.value(), batch, row)});
            evaluation.weights.push_back(weights_of(written, batch, row));
        }
    }
    return evaluation;
}

Evaluation evaluate(const TranslationModel& model, const TranslationTask& task,
                    const EvaluationSet& set)
{
    Evaluation evaluation = predict(model, set);
    for (const auto& chosen : text::evaluation_plan(set.numbered.size(), evaluated_at_once)) {
        const text::Batch batch = text::batch_of(set.numbered, chosen);
        const Translations found =
            model.translate(sources_of(batch), task.max_length, {.width = 1});
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const std::vector<std::size_t>& words = found[row][0].words;
            const std::vector<text::WordId> ids(words.begin(), words.end());
            evaluation.translations[batch.pairs[row]].hypothesis = task.target.decode(ids);
        }
    }
    return evaluation;
}

text::TokenScores tokens_of(const Evaluation& evaluation)
{
    text::TokenScores sum;
    for (const text::EvaluatedTranslation& translation : evaluation.translations) {
        sum += translation.tokens;
    }
    return sum;
}

text::AlignmentCounts alignment_of(const Evaluation& evaluation,
                                   const std::vector<text::SentencePair>& pairs)
{
    expect(pairs.size() == evaluation.weights.size(), "alignment_of: {} pairs, {} evaluated",
           pairs.size(), evaluation.weights.size());
    text::AlignmentCounts sum;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        sum += text::alignment_counts(text::links_of(evaluation.weights[i]), pairs[i]);
    }
    return sum;
}

std::string name_of(const HeadChoice& choice)
{
    return choice.head ? fmt::format("head {}", *choice.head + 1) : "mean";
}

std::vector<HeadChoice> head_choices(std::size_t n_heads)
{
    std::vector<HeadChoice> choices = {{}};
    for (std::size_t head = 0; head < n_heads; ++head) {
        choices.push_back({.head = head});
    }
    return choices;
}

Array<float> weights_of(const HeadChoice& choice, const Array<float>& weights)
{
    const std::size_t n_heads = weights.shape()[1];
    const std::size_t of_head = weights.shape()[2] * weights.shape()[3];
    const std::size_t first = choice.head.value_or(0);
    const std::size_t end = choice.head ? first + 1 : n_heads;
    const float share = 1.0F / static_cast<float>(end - first);
    Array<float> result =
        filled<float>({weights.shape()[0], weights.shape()[2], weights.shape()[3]}, 0.0F);
    for (std::size_t b = 0; b < weights.shape()[0]; ++b) {
        float* const to = result.data() + b * of_head;
        for (std::size_t h = first; h < end; ++h) {
            const float* const from = weights.data() + (b * n_heads + h) * of_head;
            for (std::size_t i = 0; i < of_head; ++i) {
                to[i] += share * from[i];
            }
        }
    }
    return result;
}

Measures measures_of(const Evaluation& evaluation, const std::vector<text::SentencePair>& pairs,
                     bool attends)
{
    const text::TranslationCounts all = counts_by_length(evaluation.translations).all;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    Measures measures{all.token_accuracy(), all.exact_match(), all.bleu(), none, none, none};
    if (attends) {
        measures.alignment_error = alignment_of(evaluation, pairs).error();
        const text::AttentionMass mass = attention_mass(evaluation.weights, pairs);
        measures.on_sure = mass.share_on_sure();
        measures.on_sure_or_possible = mass.share_on_sure_or_possible();
    }
    return measures;
}

namespace {

/// Whether two neighbours of the source stand the other way round in the target, as an adjective
/// and its noun do.
bool has_neighbours_that_cross(const text::SentencePair& pair)
{
    const auto sure = [&](std::size_t source, std::size_t target) {
        return std::find(pair.sure.begin(), pair.sure.end(), text::Link{source, target}) !=
               pair.sure.end();
    };
    for (std::size_t i = 0; i + 1 < pair.source.size(); ++i) {
        for (std::size_t j = 0; j + 1 < pair.target.size(); ++j) {
            if (sure(i, j + 1) && sure(i + 1, j) && pair.source[i] != "'s" &&
                pair.source[i + 1] != "'s") {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::size_t example_sentence(std::span<const text::SentencePair> pairs)
{
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [](const text::SentencePair& pair) {
            const std::size_t n = pair.source.size();
            const text::Words& words = pair.source;
            return n >= 8 && n <= 11 && !pair.possible.empty() &&
                   std::find(words.begin(), words.end(), "'s") != words.end() &&
                   has_neighbours_that_cross(pair);
        });
    expect(found != pairs.end(), "example_sentence: none of {} sentences is like that",
           pairs.size());
    return static_cast<std::size_t>(found - pairs.begin());
}

} // namespace attn::translation

namespace attn::translation::report {

void show_translation(program::Frame& frame, const text::Words& source,
                      const text::EvaluatedTranslation& translation)
{
    const auto show = [&](const char* what, const text::Words& words) {
        frame.terminal.paragraph(fmt::format("{} « {} »", what, text::text_of(words)));
    };
    show("source", source);
    show("reference", translation.reference);
    show("translation", translation.hypothesis);
}

void show_translations(program::Frame& frame, const std::vector<text::SentencePair>& pairs,
                       const Evaluation& evaluation, const std::vector<std::size_t>& lengths)
{
    bool first = true;
    for (const std::size_t length : lengths) {
        const auto found = first_of_length(pairs, length);
        if (found == pairs.end()) {
            continue;
        }
        if (!first) {
            frame.terminal.line();
        }
        first = false;
        const auto index = static_cast<std::size_t>(found - pairs.begin());
        show_translation(frame, found->source, evaluation.translations[index]);
    }
}

namespace {

/// BLEU from 0 to 100, or the share of exact translations, of a bucket in each seed.
program::Spread of_bucket(const ByLength& counts, std::size_t bucket, bool bleu)
{
    return program::spread(counts, [&](const text::CountsByLength& one) {
        const text::TranslationCounts& some = one.buckets[bucket].counts;
        return bleu ? 100 * some.bleu() : some.exact_match();
    });
}

} // namespace

void show_lengths(program::Frame& frame, const std::vector<CountsOfModel>& models, bool bleu)
{
    const std::vector<text::LengthBucket> buckets = text::length_buckets();
    std::vector<std::string> header = {bleu ? "BLEU" : "exact match"};
    for (const text::LengthBucket& bucket : buckets) {
        header.push_back(bucket.name());
    }
    program::Table table(header);
    for (const CountsOfModel& model : models) {
        std::vector<std::string> row = {model.name};
        for (std::size_t b = 0; b < buckets.size(); ++b) {
            const double median = of_bucket(model.counts, b, bleu).median();
            row.push_back(program::fixed(median, bleu ? 1 : 2));
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

void save_lengths(program::Frame& frame, const char* file,
                  const std::vector<CountsOfModel>& models)
{
    std::vector<double> middles;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        middles.push_back(0.5 * static_cast<double>(bucket.shortest + bucket.longest));
    }
    program::CsvColumns csv;
    csv.add("length", middles, program::fixed, 1);
    for (const CountsOfModel& model : models) {
        for (const bool bleu : {false, true}) {
            std::vector<program::Spread> spreads;
            for (std::size_t b = 0; b < middles.size(); ++b) {
                spreads.push_back(of_bucket(model.counts, b, bleu));
            }
            csv.add_spreads((bleu ? "bleu_" : "exact_") + model.short_name, spreads,
                            program::fixed, bleu ? 2 : 4);
        }
    }
    frame.files.write_csv(file, csv);
}

program::Spread spread_of(const std::vector<Measures>& measures, double Measures::*number,
                          double factor)
{
    return program::spread(measures,
                           [&](const Measures& one) { return factor * (one.*number); });
}

std::vector<program::CsvColumn> with_measures(std::vector<program::CsvColumn> columns)
{
    using program::fixed;
    columns.insert(columns.end(), {{"tokens", fixed, 4},
                                   {"exact", fixed, 4},
                                   {"bleu", fixed, 2},
                                   {"alignment_error", fixed, 4},
                                   {"on_sure", fixed, 4},
                                   {"on_sure_or_possible", fixed, 4}});
    return columns;
}

std::vector<double> with_measures(std::vector<double> numbers, const Measures& measures)
{
    numbers.insert(numbers.end(),
                   {measures.tokens, measures.exact, 100 * measures.bleu,
                    measures.alignment_error, measures.on_sure, measures.on_sure_or_possible});
    return numbers;
}

} // namespace attn::translation::report
