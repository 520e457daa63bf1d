/// \file
/// \brief BERT's question: some tokens of a text are hidden, and an encoder alone predicts them
/// from both sides. How tokens are hidden, how probable each token is in a gap, and two orders of
/// filling several gaps.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "chapters/13_language_models/sampling.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace attn::language_models {

/// How tokens are hidden (\cite devlin2019, section 3.1).
struct Masking
{
    TokenId mask;              ///< the number of the mask symbol, above all others
    TokenId first_random;      ///< random tokens are drawn from here on
    double share = 0.15;       ///< of the tokens, chosen to be predicted
    double share_mask = 0.8;   ///< of the chosen ones, replaced by the mask symbol
    double share_random = 0.1; ///< of the chosen ones, by a random token; the rest stays
};

/// Texts side by side, shorter ones filled up at the end; nothing is asked.
/// \param texts  at least one, none of them empty
/// \throws ContractError if there is none, or one is empty
TokenBatch side_by_side(std::span<const std::vector<TokenId>> texts);

/// Chooses tokens of each text, each with the same probability, and hides them; the answers are
/// what stood there.
/// \param batch  its answers are not read
/// \throws ContractError if a share is outside [0, 1], those of the chosen ones sum to more than
///         1, or there is no token below the mask symbol to draw
TokenBatch mask_tokens(TokenBatch batch, const Masking& masking, random::Generator& generator);

/// The places of the mask symbol, row by row: text * n + place.
std::vector<std::size_t> gaps_of(const TokenBatch& batch, TokenId mask);

/// The probability of every token, by the rows at some places of the texts.
/// \param places  text * n + place, at least one
/// \returns       [n_places, n_tokens]
Array<float> probabilities_at(const LanguageModel<float>& model, const TokenBatch& batch,
                              std::span<const std::size_t> places);

/// The probability of every token in each gap, given the texts without their gaps, each gap by
/// itself: \f$ p(y_t \mid y \text{ with gaps}) \f$.
/// \param model  attends both ways
/// \returns      [n_gaps, n_tokens], in the order of gaps_of
/// \throws ContractError if the model is causal or there is no gap
Array<float> fill_probabilities(const LanguageModel<float>& model, const TokenBatch& batch,
                                TokenId mask);

/// In which order gaps are filled.
enum class FillOrder
{
    at_once,   ///< all from the same probabilities: one pass
    one_by_one ///< from the first to the last, each in view of those before it: a pass a gap
};

/// Fills the gaps of a text.
/// \param sampling   how a token is drawn from the scores of a gap
/// \param generator  draws them; not used if the temperature is 0
/// \returns          the text without gaps
/// \throws ContractError as fill_probabilities
std::vector<TokenId> fill_gaps(const LanguageModel<float>& model, std::vector<TokenId> text,
                               TokenId mask, FillOrder order, const Sampling& sampling,
                               random::Generator& generator);

} // namespace attn::language_models
