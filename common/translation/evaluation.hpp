/// \file
/// \brief How a translator is evaluated, by the words that it predicts, by whole sentences, and by
/// where its attention lies; and how programs print and save it.
#pragma once

#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/array.hpp"
#include "common/text/alignment_error.hpp"
#include "common/text/translation_scores.hpp"
#include "common/translation/model.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn::translation {

/// Sentence pairs to evaluate on, in words and in numbers.
struct EvaluationSet
{
    std::vector<text::SentencePair> pairs;    ///< [n]
    std::vector<text::NumberedPair> numbered; ///< [n], the same
};

/// Some of a part, evenly taken: the first one, and so on.
/// \param every  1 for all of them, 10 for each tenth
/// \throws ContractError if every is 0 or the two lists differ in length
EvaluationSet every_nth(const std::vector<text::SentencePair>& pairs,
                        const std::vector<text::NumberedPair>& numbered, std::size_t every);

/// The first pair of each of some lengths of the source; those that no source has are left out.
/// \throws ContractError if the two lists differ in length
EvaluationSet first_of_lengths(const std::vector<text::SentencePair>& pairs,
                               const std::vector<text::NumberedPair>& numbered,
                               const std::vector<std::size_t>& lengths);

/// Pairs with the numbers that a task's vocabularies give their words.
EvaluationSet numbered_by(const TranslationTask& task,
                          const std::vector<text::SentencePair>& pairs);

/// What a translator made of sentence pairs.
struct Evaluation
{
    std::vector<text::EvaluatedTranslation> translations; ///< [n_pairs]
    std::vector<text::AttentionWeights>
        weights; ///< [n_pairs], under teacher forcing; zeros, or
                 ///< equal ones for the mean, without attention
};

/// Predicts every word of the right translations, end symbols included, and notes the weights.
/// Hypotheses stay empty.
/// \throws ContractError if there are not as many pairs in words as in numbers
Evaluation predict(const TranslationModel& model, const EvaluationSet& set);

/// The same, and translates by itself, word by word the most probable one.
/// \param task  whose vocabularies the model was trained with
Evaluation evaluate(const TranslationModel& model, const TranslationTask& task,
                    const EvaluationSet& set);

/// The sums of what was predicted, over all pairs.
text::TokenScores tokens_of(const Evaluation& evaluation);

/// The links that the largest weights speak for, counted against the pairs' own.
/// \throws ContractError if there is not one evaluated pair for each
text::AlignmentCounts alignment_of(const Evaluation& evaluation,
                                   const std::vector<text::SentencePair>& pairs);

// ---------------------------------------------------------------- heads

/// One head of the attention to the source of a layer, or the mean of all.
struct HeadChoice
{
    std::size_t layer = 0;                ///< of the decoder
    std::optional<std::size_t> head = {}; ///< none: the mean of all heads
};

/// "mean" or "head 1", counted from 1.
std::string name_of(const HeadChoice& choice);

/// The mean of all heads of the first layer, then each of them [n_heads + 1].
std::vector<HeadChoice> head_choices(std::size_t n_heads);

/// The chosen weights of those of a layer.
/// \param weights  [batch, n_heads, n_queries, n_keys]
/// \returns        [batch, n_queries, n_keys]
Array<float> weights_of(const HeadChoice& choice, const Array<float>& weights);

// ---------------------------------------------------------------- measures

/// What an evaluation comes to.
struct Measures
{
    double tokens;          ///< share of words predicted right
    double exact;           ///< share of sentences translated word by word as the reference
    double bleu;            ///< from 0 to 1
    double alignment_error; ///< of the largest weights; nan without attention
    double on_sure;         ///< mean weight on sure links; nan without attention
    double
        on_sure_or_possible; ///< mean weight on sure or possible links; nan without attention
};

/// The measures of an evaluation.
/// \param pairs    that were evaluated
/// \param attends  whether its weights mean anything
Measures measures_of(const Evaluation& evaluation, const std::vector<text::SentencePair>& pairs,
                     bool attends);

/// The test sentence that pages draw: the first one of 8 to 11 words with a possessive, two
/// neighbours that change places (an adjective and its noun), and a possible link.
/// \returns  its index
/// \throws ContractError if there is none
std::size_t example_sentence(std::span<const text::SentencePair> pairs);

} // namespace attn::translation

/// Tables and files that the programs of several chapters have alike.
namespace attn::translation::report {

/// Prints a sentence, its reference and its translation, in quotation marks: the tests then take the
/// words for what a model wrote, and do not compare them.
void show_translation(program::Frame& frame, const text::Words& source,
                      const text::EvaluatedTranslation& translation);

/// The same of the first sentence of each of some lengths.
/// \param pairs    that were evaluated
/// \param lengths  of the sources, in words; those that no sentence has are left out
void show_translations(program::Frame& frame, const std::vector<text::SentencePair>& pairs,
                       const Evaluation& evaluation, const std::vector<std::size_t>& lengths);

using ByLength = std::vector<text::CountsByLength>; ///< [n_seeds]

/// What a model's translations came to, seed by seed.
struct CountsOfModel
{
    std::string name;       ///< as programs print it
    std::string short_name; ///< for columns
    ByLength counts;        ///< [n_seeds]
};

/// The counts of trained models.
/// \param trained  [n_seeds], each with an evaluation
template <typename Trained>
CountsOfModel counts_of(const std::string& name, const std::string& short_name,
                        const std::vector<Trained>& trained)
{
    CountsOfModel model{name, short_name, {}};
    for (const Trained& one : trained) {
        model.counts.push_back(text::counts_by_length(one.evaluation.translations));
    }
    return model;
}

/// Prints medians of the seeds, a row a model.
/// \param bleu  BLEU, or the share of exact translations
void show_lengths(program::Frame& frame, const std::vector<CountsOfModel>& models, bool bleu);

/// Saves lowest, median and highest of the seeds, by the middle of each bucket of lengths.
void save_lengths(program::Frame& frame, const char* file,
                  const std::vector<CountsOfModel>& models);

/// The spread of one of the measures over the seeds.
/// \param factor  100 for per cent
program::Spread spread_of(const std::vector<Measures>& measures, double Measures::*number,
                          double factor = 1);

/// Columns of a program's own with those of all measures behind them.
std::vector<program::CsvColumn> with_measures(std::vector<program::CsvColumn> columns);

/// The numbers of a row of such columns; BLEU from 0 to 100.
std::vector<double> with_measures(std::vector<double> numbers, const Measures& measures);

} // namespace attn::translation::report
