/// \file
/// \brief Transformers that differ in one thing each, trained and evaluated.
#pragma once

#include "chapters/12_transformer/one_transformer.hpp"
#include "common/translation/evaluation.hpp"

#include <cstddef>
#include <cstdint>
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

/// Two layers each: pre-norm and post-norm, with and without warm-up, first with the whole's
/// rate, then with one twice as high.
const std::vector<Variant>& norm_variants();

/// One of both tables.
/// \throws ContractError if there is none
const Variant& variant_named(std::string_view short_name);

/// The options of a variant's transformer for the words of two languages, special symbols included.
TransformerOptions options_of(const Variant& variant, std::size_t n_source,
                              std::size_t n_target);

/// A variant, trained and evaluated, its weights being the mean of the heads of layer 0.
struct TrainedTransformer
{
    const Variant* variant;         ///< of a table
    std::uint64_t seed;             ///< of its first numbers and of the order of the sentences
    Transformer<float> transformer; ///< trained
    std::vector<double> losses;     ///< [n_steps], of the batches, smoothed labels included
    Evaluation evaluation;          ///< of the set
    Measures measures;              ///< of the evaluation
};

/// Trains a variant on the training part of a task and evaluates it.
/// \param variant  of a table; must outlive the result
/// \throws as translation::train
TrainedTransformer try_variant(const Variant& variant, const TranslationTask& task,
                               const EvaluationSet& set, std::size_t n_steps,
                               std::uint64_t seed);

/// Means of losses over a few steps each, so that a curve can be read.
/// \param every  steps of a mean, at least 1
/// \returns      [n_steps / every], an incomplete last one left out
/// \throws ContractError if every is 0
std::vector<double> means_of(const std::vector<double>& losses, std::size_t every);

} // namespace attn::transformer
