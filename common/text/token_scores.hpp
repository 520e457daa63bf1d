/// \file
/// \brief How well a model predicts the words of given translations, one by one, each after
/// the true words before it (teacher forcing).
#pragma once

#include <cstddef>

namespace attn::text {

/// Sums over the words of translations, their end symbols among them if the caller counts them.
struct TokenScores
{
    std::size_t n_tokens = 0;   ///< words that were predicted
    std::size_t n_right = 0;    ///< those among them that the model found most probable
    double log_probability = 0; ///< of all true words, summed; natural logarithms

    /// Adds the sums of further translations.
    TokenScores& operator+=(const TokenScores& other);

    /// \returns the share of words that the model found most probable; nan if there are none
    double accuracy() const;

    /// \returns the mean of -log p of a true word, in nats; nan if there are none
    double cross_entropy() const;

    /// \returns exp(cross_entropy()): how many equally probable words would leave as much doubt
    double perplexity() const;
};

} // namespace attn::text
