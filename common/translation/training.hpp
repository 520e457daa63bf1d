/// \file
/// \brief The loop that trains the translators of chapters 7, 8 and 12.
#pragma once

#include "common/nn/training.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attn::translation {

/// How a translator is trained.
struct TrainingOptions
{
    std::size_t n_steps = 2000;  ///< batches
    std::size_t batch_size = 32; ///< sentences in a batch
    double peak_rate = 5e-3;     ///< Adam's learning rate at the end of the rise
    std::size_t n_warm_up = 100; ///< steps in which it rises from 0, if any; then it falls
    double last_share = 0.02;    ///< of the peak, where the step after the last one would be
    double largest_norm = 1.0;   ///< of the gradient, longer ones are shortened
    double beta_2 = 0.999;       ///< Adam's memory of the mean square
    std::uint64_t seed = 1;      ///< of the order of the sentences
};

/// Adam's beta_2 where a training is to be short: with it a translator makes half as many mistakes
/// after 3000 steps (tried on one seed in chapters 8 and 12).
inline constexpr double brief_memory = 0.98;

/// In how many steps the rate of a training rises that keeps at least a third of its steps for the
/// fall, however short it is.
/// \param n_warm_up  steps of a long training's rise
std::size_t brief_warm_up(std::size_t n_warm_up, std::size_t n_steps);

/// Called after a step, to observe the translator while it learns.
using Observer = std::function<void(std::size_t n_steps_done)>;

/// Trains a translator with teacher forcing, by Adam.
/// \param pairs    to learn from, at least one
/// \param plan     the line of progress and the files; its number of steps is not read
/// \param observe  may be empty
/// \returns        [n_steps], the losses
/// \throws ContractError if there are no pairs, or a batch has no room for one
/// \throws as nn::Training
std::vector<double> train(const TranslationModel& model,
                          std::span<const text::NumberedPair> pairs,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe = {});

} // namespace attn::translation
