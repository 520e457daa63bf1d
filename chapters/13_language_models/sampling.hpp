/// \file
/// \brief From scores to the next token: the most probable one, or one drawn from probabilities
/// that temperature, top-k and top-p have changed.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attn::language_models {

/// How the next token is drawn.
struct Sampling
{
    double temperature = 1; ///< the scores are divided by it; 0: always the most probable token
    std::optional<std::size_t> top_k = {}; ///< only so many tokens, the most probable ones
    double top_p = 1; ///< only the fewest tokens that have this probability together
};

/// The probabilities from which the next token is drawn: softmax(s / temperature), all but the
/// top_k largest set to 0, then all but the fewest whose sum reaches top_p of what is left, the
/// rest divided by its sum. This is nucleus sampling (\cite holtzman2020, section 3.1) after
/// top-k sampling (\cite fan2018). Of equal scores the token with the lower number
/// stays.
/// \param scores  s [n_tokens], at least one, no nan, the largest finite; -infinity: masked
/// \returns       [n_tokens]
/// \throws ContractError if the temperature is negative or not finite, top_k is 0, top_p is not
///         above 0 and at most 1, or there is no score, a nan, or an infinite largest one
Vector next_probabilities(std::span<const float> scores, const Sampling& sampling);

/// The token whose share of [0, 1) a uniform number u falls into.
/// \param u  from 0 to below 1
TokenId token_at(const Vector& probabilities, double u);

/// Continues a text.
/// \param beginning  at least one token
/// \param n_tokens   how many more
/// \param generator  draws them; not used if the temperature is 0
/// \param written    called with each token as it comes; false ends the text
/// \returns          the new tokens
/// \throws ContractError if the text would be longer than the model's positions, or a score of the
///         model is not finite
std::vector<TokenId> continue_text(const LanguageModel<float>& model,
                                   std::span<const TokenId> beginning, std::size_t n_tokens,
                                   const Sampling& sampling, random::Generator& generator,
                                   const std::function<bool(TokenId)>& written = {});

} // namespace attn::language_models
