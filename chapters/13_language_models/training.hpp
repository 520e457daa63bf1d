/// \file
/// \brief The loop that trains language models, and a text in windows: what each place is to
/// predict is the token that follows.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "common/nn/training.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attn::language_models {

/// How the learning rate falls after its rise.
enum class Fall
{
    none,   ///< it stays
    linear, ///< in a straight line
    cosine  ///< along half a period of a cosine
};

/// How a language model is trained.
struct TrainingOptions
{
    std::size_t n_steps = 500;   ///< batches
    double peak_rate = 3e-3;     ///< Adam's learning rate at the end of the rise
    std::size_t n_warm_up = 100; ///< steps in which it rises, at most two thirds of all
    Fall fall = Fall::linear;    ///< what it does then
    double last_share = 0.02;    ///< of the peak, at the end of the fall
    double beta_2 = 0.98;        ///< Adam's memory of the mean square
    double weight_decay = 0;     ///< AdamW's, of matrices and embeddings alone
    double largest_norm = 1;     ///< of the gradient, longer ones are shortened
};

/// The batch of a step.
using BatchOfStep = std::function<TokenBatch(std::size_t step)>;

/// Called after a step, to observe the model while it learns.
using Observer = std::function<void(std::size_t n_steps_done)>;

/// Trains a language model by AdamW.
/// \param plan     the line of progress and the files; its number of steps is not read
/// \param observe  may be empty
/// \returns        [n_steps], the losses
/// \throws as nn::Training
std::vector<double> train(const LanguageModel<float>& model, const BatchOfStep& batch,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe = {});

/// Windows of a text, each beginning at a random place; the answer at each place is the token
/// that follows there.
/// \param text    more than n tokens
/// \param n_texts windows in the batch
/// \param n       tokens in each
/// \throws ContractError if the text is too short
TokenBatch random_windows(std::span<const TokenId> text, std::size_t n_texts, std::size_t n,
                          random::Generator& generator);

/// The mean of \f$ -\ln p \f$ of the next token over a whole text, read in windows one after the
/// other: a token sees at most n - 1 before it in its window, the first one none.
/// \param text  more than n tokens; what is left after the last whole window is a shorter one
/// \throws ContractError if the text is too short
double mean_loss(const LanguageModel<float>& model, std::span<const TokenId> text,
                 std::size_t n, std::size_t n_texts = 32);

} // namespace attn::language_models
