/// \file
/// \brief What the program of chapter 12 prints and saves, one function an experiment.
#pragma once

#include "chapters/12_transformer/experiments/heads.hpp"
#include "chapters/12_transformer/experiments/variants.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// The program's tables and files.
namespace attn::transformer::report {

/// What a reader may ask of the trainings.
struct Trainings
{
    std::optional<std::size_t> n_steps = {}; ///< batches of 32 sentences
    std::size_t n_seeds = 1;                 ///< transformers of each variant

    /// Steps of a training on the grammar's sentences.
    std::size_t steps() const { return n_steps.value_or(chapters_steps); }

    /// Which options were given, --untrained too.
    nn::ChapterTrainings given(bool untrained) const
    {
        return {.steps = n_steps.has_value(), .seeds = n_seeds != 1, .untrained = untrained};
    }

    /// Whether the trainings are shorter than those of the committed numbers
    bool brief() const { return steps() < 2000; }

    /// Steps of the trainings that compare norms and warm-up, at most
    std::size_t norm_steps() const
    {
        return std::min<std::size_t>(steps(), brief() ? 200 : 300);
    }

    /// 1 if all test sentences are evaluated, 5 if each fifth one, after short trainings.
    std::size_t evaluated_every() const { return brief() ? 5 : 1; }
};

/// Sentences to learn from with --quick; every word of the test is among theirs.
inline constexpr std::size_t quick_train = 6000;

/// Prints where the parameters sit, matrix by matrix.
void parameters(program::Frame& frame, const TranslationTask& task);

/// Prints and saves the smoothed loss of several certainties, and its floor.
void smoothing(program::Frame& frame, const TranslationTask& task);

/// Prints and saves what a word costs with saved keys and values and without, and whether both
/// ways say the same.
void decoding(program::Frame& frame);

/// Prints rows and gradients of deep untrained encoders.
void depth(program::Frame& frame);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

/// Trains transformers that copy, and prints what came of it.
void copying(program::Frame& frame);

/// Transformers of the same variant, one a seed.
using OfVariant = std::vector<TrainedTransformer>;

/// Bahdanau's translator of chapter 8, trained and evaluated.
struct TrainedRecurrent
{
    std::size_t n_parameters; ///< numbers that were learnt
    Evaluation evaluation;    ///< of the same sentences
};

/// The measures of a variant in each seed.
std::vector<Measures> measures_of(const OfVariant& of_variant);

/// All trainings of the chapter.
struct AllTrained
{
    EvaluationSet set;                       ///< on which they were evaluated
    EvaluationSet validation;                ///< on which heads are chosen
    std::vector<OfVariant> ablations;        ///< [n_ablations][n_seeds], the whole first
    std::vector<OfVariant> norms;            ///< [n_norm_variants][n_seeds]
    OfVariant brief;                         ///< [n_seeds], the whole, from at most 15 words
    std::vector<TrainedRecurrent> recurrent; ///< [n_seeds], Bahdanau's additive score
    std::vector<std::vector<HeadMeasures>> heads; ///< [n_seeds], of the whole
};

/// Trains all variants, as many at a time as there are threads.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

/// Prints and saves the quality of the whole beside Bahdanau's model and rules without
/// learning.
void quality(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

/// Prints and saves quality against the length of the sentence.
void lengths(program::Frame& frame, const AllTrained& trained);

/// Prints and saves what breaks without each part.
void ablation(program::Frame& frame, const AllTrained& trained);

/// Prints and saves how transformers learn with the norm before and after, with warm-up and
/// without.
void norms(program::Frame& frame, const AllTrained& trained);

/// Prints and saves what each head attends to.
void heads(program::Frame& frame, const AllTrained& trained);

/// Prints and saves what deleting a word does, beside its weight in each head.
void reasons(program::Frame& frame, const TranslationTask& task, const AllTrained& trained,
             const Trainings& trainings);

/// Prints and saves one sentence word by word and some translations, and saves the interactive
/// figure's data.
void sentence(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

} // namespace attn::transformer::report
