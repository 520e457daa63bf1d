/// \file
/// \brief The translators of the table, trained, observed on the way, and evaluated on sentences of
/// all lengths.
#pragma once

#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/translation/evaluation.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::bahdanau {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::Measures;

/// What was seen at one moment of a training.
struct Snapshot
{
    std::size_t n_steps;    ///< taken so far
    double accuracy;        ///< share of the words predicted right, end symbols included
    double alignment_error; ///< of the largest weights; nan without attention
    double entropy;         ///< mean over target words, see mean_entropy
};

/// How a translator of the table is trained and observed.
struct KindTraining
{
    std::size_t n_steps = 2000;     ///< batches of 32
    std::uint64_t seed = 1;         ///< of its first numbers and of the order of the sentences
    std::size_t snapshot_every = 0; ///< steps between two snapshots; 0: none
    std::size_t n_validated = 128;  ///< sentences of the validation part, or all if fewer
};

/// A translator of the table, trained and evaluated.
struct TrainedTranslator
{
    const AlignmentKind* kind;       ///< of alignment_kinds()
    std::uint64_t seed;              ///< of its training
    Translator<float> translator;    ///< trained
    std::vector<double> losses;      ///< [n_steps]
    std::vector<Snapshot> snapshots; ///< one every snapshot_every steps
    Evaluation evaluation;           ///< of the set
};

/// Trains a translator on the training part of a task and evaluates it.
/// \param kind  of the table; must outlive the result
/// \throws as translation::train
TrainedTranslator try_kind(const AlignmentKind& kind, const TranslationTask& task,
                           const EvaluationSet& set, const KindTraining& how);

/// How spread out weights are: the mean over the target words of
/// \f$ -\sum_j p_j \ln p_j \f$, 0 where one source word has all.
/// \returns  in nats; nan if there are no words
double mean_entropy(const Evaluation& evaluation);

/// What one word of the target language attends to, wherever it is written.
struct AttentionOfWord
{
    std::size_t n = 0;   ///< how often it stands in the right translations
    double sure = 0;     ///< weight on words with a sure link to it, summed
    double possible = 0; ///< weight on words with a possible link to it, summed
};

/// Adds up the weights of a word.
AttentionOfWord attention_of(const Evaluation& evaluation,
                             const std::vector<text::SentencePair>& pairs,
                             const std::string& word);

} // namespace attn::bahdanau
