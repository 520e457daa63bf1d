/// \file
/// \brief A masked model and a causal one of the same size, trained on the same French sentences
/// of the grammar.
#pragma once

#include "chapters/13_language_models/masked_words/masked_words.hpp"
#include "chapters/13_language_models/training.hpp"
#include "common/program/run.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::language_models {

/// French sentences of the grammar.
struct FrenchSentences
{
    translation::TranslationTask task; ///< the targets are read; the sources are not
    TokenId mask;                      ///< the number after those of the vocabulary
    std::vector<text::Words> tested;   ///< sentences of the test, to measure on

    /// The number of a word of the grammar.
    /// \throws BadInput if it is none
    TokenId id(const std::string& word) const { return task.target.encode({word}).front(); }
};

/// The sentences that models learn from and are measured on; few if quick.
FrenchSentences french_sentences(std::uint64_t seed, bool quick);

/// How both models are made and trained.
struct MaskedTraining
{
    std::size_t n_steps = 800;    ///< batches
    std::size_t batch_size = 64;  ///< sentences in a batch
    double share = 0.3;           ///< of the words, hidden
    double peak_rate = 4e-3;      ///< of Adam
    std::size_t n_warm_up = 100;  ///< steps
};

/// The training of the chapter; ten steps if quick.
MaskedTraining french_training(bool quick);

/// Two layers, 64 numbers wide, for the words of the sentences and the mask symbol.
LanguageModelOptions small_options(const FrenchSentences& sentences, bool causal);

/// The batches of a training: each epoch's sentences in another order, those of similar length
/// side by side.
/// \param causal  whether the answers are the words that follow, or hidden ones
BatchOfStep batches_of(const FrenchSentences& sentences, bool causal,
                       const MaskedTraining& training, std::uint64_t seed);

/// Trains a masked or a causal model.
/// \param plan  the line of progress and the files
LanguageModel<float> train_on_french(const FrenchSentences& sentences, bool causal,
                                     const MaskedTraining& training, std::uint64_t seed,
                                     nn::TrainingPlan plan);

/// A masked and a causal model of each seed.
struct FrenchModels
{
    std::vector<LanguageModel<float>> masked; ///< [n_seeds]
    std::vector<LanguageModel<float>> causal; ///< [n_seeds]
};

/// Trains them side by side.
FrenchModels train_french_models(const program::Frame& frame, const FrenchSentences& sentences,
                                 const MaskedTraining& training);

} // namespace attn::language_models
