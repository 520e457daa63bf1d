/// \file
/// \brief Whole models measured: chapter 12's transformer, trained for the same few steps from
/// the same numbers, variant by variant; and one forward pass over a long text.
#pragma once

#include "chapters/14_simd_transformer/experiments/ladders.hpp"
#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::simd_transformer {

/// The sentences that every variant learns from, in batches, and the model.
struct ModelTraining
{
    transformer::TransformerOptions options; ///< of chapter 12's whole transformer
    std::vector<text::Batch> batches;        ///< [n_steps], of 32 sentences each
};

/// Some of chapter 12's sentences.
/// \param n_steps  how many batches, at least 1
ModelTraining model_training(std::uint64_t seed, std::size_t n_steps);

/// Operations of the matrix products of a training step, a multiplication and an addition being
/// two: those of each linear map and of each attention forwards, and twice as many backwards.
/// The batch's padding counts.
double step_operations(const transformer::TransformerOptions& options,
                       const text::Batch& batch);

/// What came of a short training.
struct ModelRun
{
    std::vector<float> losses; ///< [n_steps]
    double seconds; ///< of all steps but the first, which finds memory and caches cold
};

/// Trains a transformer for a step a batch, with Adam and shortened gradients as chapter 12
/// does. The losses of a training are the same each time.
/// \param how  kernels, and threads for a variant that uses them
ModelRun train_model(const ModelVariant& variant, const kernels::Execution& how,
                     const ModelTraining& training);

/// What a pass over a long text took.
struct LongText
{
    double seconds;     ///< of the pass
    std::size_t bytes;  ///< of all that was computed, by the pool's counter
    std::size_t scores; ///< bytes that one attention's scores would take, if they were kept
};

/// Reads a long text of random words and writes as long a one with teacher forcing, with
/// attention in one pass, on one thread.
/// \param n_tokens  words of either text, at least 1
LongText read_long_text(const kernels::Kernels& kernels, std::size_t n_tokens);

/// Trains the whole model variant by variant, and prints whether the losses are those of the
/// first, and what was measured, if it was; then a long text, and the memory that it took.
void show_whole_model(program::Frame& frame, const Settings& settings, bool timed);

} // namespace attn::simd_transformer
