/// \file
/// \brief A whole model as a ladder: chapter 12's transformer, trained for the same few steps
/// from the same numbers, in one way after the other; and one forward pass over a long text. A
/// rung is a choice of what the transformer is computed with.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "common/kernels/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::simd_transformer {

/// One way to compute the whole model.
struct ModelRung
{
    std::string name;    ///< as tables print it
    std::string idea;    ///< what is new beside the rung before, in one line
    bool plain_products; ///< whether products are plain loops
    bool fused_rows;     ///< whether what touches the same rows is one walk over them
    bool one_pass;       ///< whether attention keeps no weights; it rounds otherwise
    bool threaded;       ///< whether it uses more than one thread
};

/// The ways, each a step up from the one before. All but those whose attention is in one pass
/// give the same bits.
const std::vector<ModelRung>& model_ladder();

/// What the transformer of a rung is given: its attention, and whether its rows are fused.
transformer::Computation<float> computation_of(const ModelRung& rung,
                                               const kernels::Execution& how);

/// The sentences that every rung learns from, in batches, and the model.
struct ModelLesson
{
    transformer::TransformerOptions options; ///< of chapter 12's whole transformer
    std::vector<text::Batch> batches;        ///< [n_steps], of 32 sentences each
};

/// Some of chapter 12's sentences.
/// \param seed     of the sentences and their order
/// \param n_steps  how many batches, at least 1
ModelLesson model_lesson(std::uint64_t seed, std::size_t n_steps);

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
/// does. The losses of a lesson are the same each time.
/// \param how  kernels, and threads for a rung that uses them
ModelRun train_model(const ModelRung& rung, const kernels::Execution& how,
                     const ModelLesson& lesson);

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

} // namespace attn::simd_transformer
