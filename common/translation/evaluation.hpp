/// \file
/// \brief How a translator is evaluated: by the words that it predicts, by whole sentences, and by
/// where its attention lies.
#pragma once

#include "common/text/alignment_error.hpp"
#include "common/text/translation_scores.hpp"
#include "common/translation/model.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <span>
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
std::size_t telling_sentence(std::span<const text::SentencePair> pairs);

} // namespace attn::translation
