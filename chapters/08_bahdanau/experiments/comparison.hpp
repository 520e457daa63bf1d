/// \file
/// \brief The translators of the table compared: trained, observed on the way, and evaluated on
/// sentences of all lengths.
#pragma once

#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "common/nn/one_model.hpp"
#include "common/program/run.hpp"
#include "common/translation/evaluation.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace attn::bahdanau {

using translation::Evaluation;
using translation::EvaluationSet;

/// Steps of each training on the grammar's sentences, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 640;

/// What a reader may ask of the trainings.
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< translators of each kind
    bool longer = false;                     ///< Bahdanau's is also trained for more steps

    /// Steps of a training on the grammar's sentences.
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// Which options were given, --untrained too.
    nn::ChapterTrainings given(bool untrained) const
    {
        return {.steps = n_steps.has_value(), .seeds = n_seeds != 1, .untrained = untrained};
    }

    /// 1 if all test sentences are evaluated, 2 if each second one, after short trainings.
    std::size_t evaluated_every() const { return steps() < 2000 ? 2 : 1; }
};

/// The grammar's sentences; fewer to learn from with --quick.
TranslationTask sentences(const program::Frame& frame);

/// Prints how wrong the links of aligners are that learn nothing.
void show_aligners(program::Frame& frame, const TranslationTask& task);

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
    translation::Measures measures;  ///< of the evaluation
};

/// Trains a translator on the training part of a task and evaluates it.
/// \param kind  of the table; must outlive the result
/// \throws as translation::train
TrainedTranslator train_and_evaluate(const AlignmentKind& kind, const TranslationTask& task,
                                     const EvaluationSet& set, const KindTraining& how);

/// How spread out weights are: the mean over the target words of
/// \f$ -\sum_j p_j \ln p_j \f$, 0 where one source word has all.
/// \returns  in nats; nan if there are no words
double mean_entropy(const Evaluation& evaluation);

/// Translators of the same kind, one a seed.
using SeedsOfKind = std::vector<TrainedTranslator>;

/// All trained translators of the chapter.
struct AllTrained
{
    EvaluationSet set;             ///< on which they were evaluated
    std::vector<SeedsOfKind> full; ///< [n_kinds][n_seeds], in the order of alignment_kinds()
    std::vector<SeedsOfKind>
        short_only; ///< none and additive_before, trained on at most 15 words

    /// The translators of a kind, trained on sentences of all lengths.
    /// \throws ContractError if there are none
    const SeedsOfKind& of_kind(std::string_view short_name) const;
};

/// Trains all kinds, as many at a time as there are threads.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

/// Prints and saves quality and alignment of all kinds, and the 2 x 2 of query and score.
void show_kinds(program::Frame& frame, const AllTrained& trained);

/// Prints and saves quality against the length of the sentence, after learning from all lengths
/// and from at most 15 words.
void show_lengths(program::Frame& frame, const AllTrained& trained);

/// Trains Bahdanau's translator for 4 and 10 times as many steps, one seed; prints and saves its
/// quality against the length of the sentence beside that of the usual trainings.
void show_longer(program::Frame& frame, const TranslationTask& task, const AllTrained& trained,
                 const Trainings& trainings);

/// Prints and saves how alignments come about while a translator learns.
void show_learning(program::Frame& frame, const AllTrained& trained);

} // namespace attn::bahdanau
