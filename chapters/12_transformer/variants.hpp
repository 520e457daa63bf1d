/// \file
/// \brief Transformers that differ in one thing each, and their training: what the program of
/// chapter 12 compares. Deliberately nothing printed.
#pragma once

#include "chapters/07_seq2seq/translation_task.hpp"
#include "chapters/08_bahdanau/comparison.hpp"
#include "chapters/12_transformer/translation.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn::transformer {

using bahdanau::JudgedPart;
using bahdanau::LearningOptions;
using bahdanau::Measures;
using seq2seq::Judgement;
using seq2seq::TranslationTask;

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
/// connections, normalisation, dense layers, positions, attention to what is written, or label
/// smoothing, with one head, and with dropout.
/// \returns  the table, the whole first
const std::vector<Variant>& ablations();

/// Two layers each: pre-norm and post-norm, with and without warm-up, first with the whole's
/// rate, then with one twice as high.
/// \returns  the table
const std::vector<Variant>& norm_variants();

/// One of both tables.
/// \param short_name  of the variant
/// \returns           the variant
/// \throws ContractError if there is none
const Variant& variant_named(std::string_view short_name);

/// In how many steps the rate of a training rises. A brief one leaves a third of its steps for
/// the fall, so that it is not all warm-up.
/// \param variant  which
/// \param n_steps  of the training
/// \returns        the variant's number, at most two thirds of the steps
std::size_t warm_up_of(const Variant& variant, std::size_t n_steps);

/// A variant for the words of two languages.
/// \param variant   any
/// \param n_source  words of the source, special symbols included
/// \param n_target  words of the target, special symbols included
/// \returns         the options of its transformer
TransformerOptions options_of(const Variant& variant, std::size_t n_source,
                              std::size_t n_target);

/// A transformer, untrained. The same seed gives all variants of the same size the same numbers
/// where they have the same matrices.
/// \param options  sizes at least 1
/// \param seed     of its first numbers
/// \returns        the transformer
Transformer<float> make_transformer(const TransformerOptions& options, std::uint64_t seed);

/// A transformer, and how it came about.
struct Learnt
{
    Transformer<float> transformer; ///< trained
    std::vector<double> losses;     ///< [n_steps], of the batches, smoothed labels included
};

/// Trains a variant.
/// \param variant      which
/// \param task         to learn
/// \param options      of the training; it is not looked at on the way
/// \param computation  how it is computed, now and later
/// \returns            the transformer
/// \throws as seq2seq::train
Learnt learn(const Variant& variant, const TranslationTask& task,
             const LearningOptions& options, const Computation<float>& computation = {});

/// A variant, trained and judged, its weights being the mean of the heads of layer 0.
struct Trial
{
    const Variant* variant; ///< of a table
    std::uint64_t seed;     ///< of its first numbers and of the order of the sentences
    Learnt learnt;          ///< the transformer, and how it came about
    Judgement judgement;    ///< of the part
    Measures measures;      ///< of the judgement
};

/// Trains a variant and judges it.
/// \param variant  of a table; must outlive the result
/// \param task     to learn from its training part
/// \param part     to be judged on
/// \param options  of the training
/// \returns        what came of it
/// \throws as seq2seq::train
Trial try_variant(const Variant& variant, const TranslationTask& task, const JudgedPart& part,
                  const LearningOptions& options);

/// Means of losses over a few steps each, so that a curve can be read.
/// \param losses  [n_steps]
/// \param every   steps of a mean, at least 1
/// \returns       [n_steps / every], an incomplete last one left out
/// \throws ContractError if every is 0
std::vector<double> means_of(const std::vector<double>& losses, std::size_t every);

} // namespace attn::transformer
