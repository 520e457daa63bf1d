/// \file
/// \brief How a translator is trained and how it is judged: by the words that it foretells, by
/// whole sentences, and by where it looked. Deliberately nothing printed.
#pragma once

#include "chapters/07_seq2seq/translation_model.hpp"
#include "chapters/07_seq2seq/translation_task.hpp"
#include "common/nn/training.hpp"
#include "common/text/alignment_error.hpp"
#include "common/text/length_buckets.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attn::seq2seq {

/// The settings of a training.
struct TrainingOptions
{
    std::size_t n_steps = 2000;  ///< batches
    std::size_t batch_size = 32; ///< sentences in a batch
    double peak_rate = 5e-3;     ///< Adam's learning rate at the end of the rise
    std::size_t n_warm_up = 100; ///< steps in which it rises from 0, if any; then it falls
    double last_share = 0.02;    ///< of the peak, where a step after the last one would be
    double largest_norm = 1.0;   ///< of the gradient, longer ones are shortened
    std::uint64_t seed = 1;      ///< of the order of the sentences
};

/// Called after a step, to look at the translator while it learns.
using Observer = std::function<void(std::size_t n_steps_done)>;

/// Trains a translator with teacher forcing, by Adam.
/// \param model       where learning starts, and ends
/// \param pairs       to learn from, at least one
/// \param options     settings
/// \param plan        the line of progress and the files; its number of steps is not read
/// \param observe     may be empty
/// \returns           [n_steps], the losses
/// \throws ContractError if there is no pair or a batch is to have none; and as nn::train
std::vector<double> train(const TranslationModel& model,
                          std::span<const text::NumberedPair> pairs,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe = {});

/// What a translator made of sentence pairs.
struct Judgement
{
    std::vector<text::JudgedTranslation> translations; ///< [n_pairs]
    std::vector<text::AttentionWeights>
        weights; ///< [n_pairs], under teacher forcing; zeros, or
                 ///< equal ones for the mean, without attention
};

/// Foretells every word of the right translations, end symbols included, and notes the weights.
/// \param model       trained
/// \param pairs       in words, in the order of the numbers
/// \param numbered    the same in numbers
/// \returns           without translations of its own: hypotheses are empty
/// \throws ContractError if there are not as many numbered ones
Judgement foretell(const TranslationModel& model, const std::vector<text::SentencePair>& pairs,
                   const std::vector<text::NumberedPair>& numbered);

/// The same, and translates by itself, word by word the most probable one.
/// \param model       trained
/// \param task        whose vocabularies it was trained with
/// \param pairs       in words, in the order of the numbers
/// \param numbered    the same in numbers
/// \returns           all there is
/// \throws ContractError if there are not as many numbered ones
Judgement judge(const TranslationModel& model, const TranslationTask& task,
                const std::vector<text::SentencePair>& pairs,
                const std::vector<text::NumberedPair>& numbered);

/// The sums of what was foretold.
/// \param judgement  of any translator
/// \returns          over all pairs
text::TokenScores tokens_of(const Judgement& judgement);

/// The links that the largest weights speak for, counted against the pairs' own.
/// \param judgement  of a translator with attention
/// \param pairs      that were judged
/// \returns          over all pairs
/// \throws ContractError if there are not as many pairs as judged translations
text::AlignmentCounts alignment_of(const Judgement& judgement,
                                   const std::vector<text::SentencePair>& pairs);

} // namespace attn::seq2seq
