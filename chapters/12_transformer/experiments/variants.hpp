/// \file
/// \brief Transformers that differ in one thing each, trained and evaluated.
#pragma once

#include "chapters/12_transformer/translation.hpp"
#include "common/program/run.hpp"
#include "common/translation/evaluation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::transformer {

using translation::Evaluation;
using translation::EvaluationSet;
using translation::Measures;
using translation::TranslationTask;

/// A transformer by what distinguishes it, and how it is trained.
struct Variant
{
    std::string name;                            ///< as programs and figures print it
    std::string short_name;                      ///< for columns and names of files
    LayerOptions layer = {};                     ///< of each layer
    std::size_t n_layers = 1;                    ///< of the encoder, and of the decoder
    Positions positions = Positions::sinusoidal; ///< sinusoidal or none
    double label_smoothing = 0.1;                ///< of the loss
    std::size_t n_warm_up = 200;                 ///< steps in which the rate rises, at most
    double peak_rate = 5e-3;                     ///< of Adam
};

/// The whole transformer, and then what differs from it in one part: without residual
/// connections, normalisation, dense layers, positions, self-attention of the decoder, or label
/// smoothing, with one head, and with dropout.
const std::vector<Variant>& ablations();

/// With residual connections in the encoder alone, and in the decoder alone; and with none, at
/// half the rate, or without the self-attention of the encoder.
const std::vector<Variant>& residual_variants();

/// Two layers each: pre-norm and post-norm, with and without warm-up, first with the whole's
/// rate, then with one twice as high.
const std::vector<Variant>& norm_variants();

/// One of these tables.
/// \throws ContractError if there is none
const Variant& variant_named(std::string_view short_name);

/// The options of a variant's transformer for the words of two languages, special symbols
/// included.
TransformerOptions options_of(const Variant& variant, std::size_t n_source,
                              std::size_t n_target);

/// A variant, trained and evaluated, its weights being the mean of the heads of layer 0.
struct TrainedTransformer
{
    const Variant* variant;         ///< of a table
    Transformer<float> transformer; ///< trained
    std::vector<double> losses;     ///< [n_steps], of the batches, smoothed labels included
    Evaluation evaluation;          ///< of the set
    Measures measures;              ///< of the evaluation
};

/// Trains a variant on the training part of a task and evaluates it.
/// \param variant  of a table; must outlive the result
/// \throws as translation::train
TrainedTransformer train_variant(const Variant& variant, const TranslationTask& task,
                                 const EvaluationSet& set, std::size_t n_steps,
                                 std::uint64_t seed);

/// Steps of each training, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 350;

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
    bool shortened() const { return steps() < 2000; }

    /// Steps of the trainings that compare norms and warm-up, at most
    std::size_t norm_steps() const
    {
        return std::min<std::size_t>(steps(), shortened() ? 200 : 300);
    }

    /// 1 if all test sentences are evaluated, 5 if each fifth one, after short trainings.
    std::size_t evaluated_every() const { return shortened() ? 5 : 1; }
};

/// Sentences to learn from with --quick; every word of the test is among theirs.
inline constexpr std::size_t quick_train = 6000;

/// Transformers of the same variant, one a seed.
using OfVariant = std::vector<TrainedTransformer>;

/// Bahdanau's translator of chapter 8, trained and evaluated.
struct TrainedRecurrent
{
    std::size_t n_parameters; ///< numbers that were learnt
    Evaluation evaluation;    ///< of the same sentences
};

/// All trainings of the chapter.
struct AllTrained
{
    EvaluationSet set;                       ///< on which they were evaluated
    std::vector<OfVariant> ablations;        ///< [n_ablations][n_seeds], the whole first
    std::vector<OfVariant> residuals;        ///< [n_residual_variants][n_seeds]
    std::vector<OfVariant> norms;            ///< [n_norm_variants][n_seeds]
    OfVariant short_only;                    ///< [n_seeds], the whole, from at most 15 words
    std::vector<TrainedRecurrent> recurrent; ///< [n_seeds], Bahdanau's additive score
};

/// Trains all variants, as many at a time as there are threads.
AllTrained train_all(const program::Frame& frame, const TranslationTask& task,
                     const Trainings& trainings);

} // namespace attn::transformer
