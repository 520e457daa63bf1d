/// \file
/// \brief The experiments of chapter 12, in the order of its program: what each measures and prints.
#pragma once

#include "chapters/12_transformer/layers.hpp"
#include "chapters/12_transformer/training/translation.hpp"
#include "chapters/12_transformer/transformer.hpp"
#include "common/program/run.hpp"
#include "common/random/random.hpp"
#include "common/text/batches.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::transformer {

// ---------------- where the parameters sit

/// Prints where the parameters sit, matrix by matrix.
void show_parameters(program::Frame& frame, const translation::TranslationTask& task);

// ---------------- rows and gradients of deep stacks

/// An encoder that is looked into.
struct DepthKind
{
    std::string name;       ///< as programs print it
    std::string short_name; ///< for columns
    LayerOptions layer;     ///< of each layer
    bool last_norm;         ///< whether a norm stands between the last layer and the loss
};

/// Pre-norm, post-norm, no norm, and pre-norm without residual connections, where the loss
/// always sees normalised rows; then pre-norm and no norm where it sees the rows as they are.
const std::vector<DepthKind>& depth_kinds();

/// What was found in each layer.
struct DepthNorms
{
    std::vector<double> rows;  ///< [n_layers], root mean square of the numbers behind a layer
    std::vector<double> apart; ///< [n_layers], the same of rows less their sentence's mean
                               ///< row, as a share of it
    std::vector<double> gradients; ///< [n_layers], length of the gradient of all its parameters
};

/// Sends random rows through an untrained stack of the encoder's layers, in double, and a loss
/// back: the mean square distance from random rows.
/// \param n_layers  at least 1
DepthNorms norms_by_depth(const DepthKind& kind, std::size_t n_layers, std::uint64_t seed);

void show_depth(program::Frame& frame); ///< rows and gradients of deep untrained encoders

// ---------------- smoothed labels

/// Prints the smoothed loss of several certainties, and its floor.
void show_smoothing(program::Frame& frame, const translation::TranslationTask& task);

// ---------------- what a word costs

/// How much there is to compute.
struct DecodingSizes
{
    std::size_t d_model = 64;   ///< d, numbers in a row
    std::size_t d_ff = 128;     ///< numbers between the dense layers
    std::size_t n_layers = 1;   ///< of the decoder
    std::size_t n_source = 14;  ///< m, words of the source
    std::size_t n_target = 270; ///< words of the target language, scored at every step
};

/// Multiplications for the word number n, with keys and values kept: in each layer
/// \f$ 6 d^2 + 2 d\, d_{ff} \f$ for the projections of one row (four of its own attention, two
/// of that to the source) and the dense layers, \f$ 2 n d + 2 m d \f$ for the two attentions,
/// and once \f$ d V \f$ for the scores of the words.
/// \param n      counted from 1
std::size_t cached_cost(const DecodingSizes& sizes, std::size_t n);

/// Multiplications for the word number n if all rows before it are computed anew: n rows of
/// each layer, the causal attention \f$ n (n + 1) d \f$, the keys and values of the source
/// again, and the scores of the last row.
/// \param n      counted from 1
std::size_t uncached_cost(const DecodingSizes& sizes, std::size_t n);

/// Multiplications once a sentence, if they are kept: keys and values of the source,
/// \f$ 2 m d^2 \f$ a layer.
std::size_t source_cost(const DecodingSizes& sizes);

/// How far two ways to write are apart.
struct DecodingDifference
{
    std::size_t n_numbers; ///< scores that were compared
    double largest;        ///< largest difference of two of them
};

/// Writes random words with random numbers: at once with a causal mask, and one by one with
/// saved keys and values.
/// \returns         the difference of the scores: none, on kernels that are fused
template <typename T>
DecodingDifference compare_decoding(const LayerOptions& layer, std::size_t n_layers,
                                    std::size_t n_words, std::uint64_t seed);

/// Prints and saves what a word costs with saved keys and values and without, and whether both
/// ways say the same.
void show_decoding(program::Frame& frame);

// ---------------- copying

/// Sentences and themselves.
/// \param length     of each, at least 1
/// \param n_symbols  to draw from, at least 1
/// \returns          [n_pairs]
std::vector<text::NumberedPair> copies(std::size_t n_pairs, std::size_t length,
                                       std::size_t n_symbols, random::Generator& generator);

void show_copying(program::Frame& frame); ///< after trainings of several lengths

// ---------------- the trainings that the questions below share

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

// ---------------- how good it is, and without each part

/// Means of losses over a few steps each, so that a curve can be read.
/// \param every  steps of a mean, at least 1
/// \returns      [n_steps / every], an incomplete last one left out
/// \throws ContractError if every is 0
std::vector<double> means_of(const std::vector<double>& losses, std::size_t every);

/// Prints and saves the quality of the whole beside Bahdanau's model and rules without
/// learning, and by the length of the sentence.
void show_quality(program::Frame& frame, const TranslationTask& task,
                  const AllTrained& trained);

void show_ablation(program::Frame& frame, const AllTrained& trained); ///< without each part

/// Prints and saves what residual connections are worth in the encoder and in the decoder.
void show_residuals(program::Frame& frame, const AllTrained& trained);

/// Prints and saves how transformers learn with the norm before and after, with warm-up and
/// without.
void show_norms(program::Frame& frame, const AllTrained& trained);

// ---------------- what its heads look at

/// How well weights point to the words that are translated.
struct HeadMeasures
{
    HeadChoice choice;          ///< a head, or the mean of all
    double validation_error;    ///< alignment error on sentences to validate on
    translation::Measures test; ///< of sentences to test on, without translations of its own
};

/// Measures the mean and every head of the decoder's first layer.
/// \returns           [n_heads + 1], the mean first
std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const translation::EvaluationSet& validation,
                                        const translation::EvaluationSet& test);

/// The head with the lowest alignment error on the validation sentences, of equal ones the
/// first.
/// \throws ContractError if there is no head
std::size_t best_head(const std::vector<HeadMeasures>& measures);

/// The alignment and the choice of every seed's heads.
std::vector<std::vector<HeadMeasures>>
show_heads(program::Frame& frame, const TranslationTask& task, const AllTrained& trained);

/// Prints and saves what deleting a word does, beside its weight in each head.
void show_interventions(program::Frame& frame, const TranslationTask& task,
                        const AllTrained& trained, const Trainings& trainings);

/// Prints and saves one sentence word by word and some translations, and saves the interactive
/// figures' data.
/// \param heads  of the first seed
void show_sentence(program::Frame& frame, const TranslationTask& task,
                   const AllTrained& trained, const std::vector<HeadMeasures>& heads);

// ---------------- the explorer of a reader's sentence

/// Writes the explorer of a reader's sentence and its translation: the encoder's attentions, then
/// each of the decoder's layers' two.
/// \param request  with a sentence and a file
/// \throws BadInput if the file cannot be written or would be too large
void explore(program::Frame& frame, const SavedTransformer& saved,
             const TranslatorRequest& request);

// ---------------- step by step with a pencil

void show_pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

} // namespace attn::transformer
