/// \file
/// \brief How often each token follows each other one: what a text model has to be better than,
/// and what tells whether a pair of words is one that the learnt text has.
#pragma once

#include "common/kernels/elementary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::language_models {

/// Counts of the pairs of neighbouring tokens.
class PairCounts
{
public:
    /// \param n_tokens  different ones
    explicit PairCounts(std::size_t n_tokens)
        : pairs_(n_tokens, std::vector<double>(n_tokens, 0.0)), n_first_(n_tokens, 0.0)
    {
    }

    /// Counts the pairs of a text. All its tokens must be below n_tokens.
    void add(std::span<const std::int64_t> text)
    {
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            pairs_[index(text[i])][index(text[i + 1])] += 1;
            n_first_[index(text[i])] += 1;
        }
    }

    /// Whether the second token has ever followed the first.
    bool seen(std::int64_t first, std::int64_t second) const
    {
        return pairs_[index(first)][index(second)] > 0;
    }

    /// The mean of -ln p of the next token by these counts, each a little larger than it is, so
    /// that nothing is impossible.
    /// \param text  at least two tokens
    double loss(std::span<const std::int64_t> text) const
    {
        constexpr double more = 0.01;
        double sum = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            const double n = pairs_[index(text[i])][index(text[i + 1])] + more;
            const double all =
                n_first_[index(text[i])] + more * static_cast<double>(pairs_.size());
            sum -= elementary::log(n / all);
        }
        return sum / static_cast<double>(text.size() - 1);
    }

private:
    static std::size_t index(std::int64_t token) { return static_cast<std::size_t>(token); }

    std::vector<std::vector<double>> pairs_; // [n_tokens][n_tokens]
    std::vector<double> n_first_;            // [n_tokens]
};

} // namespace attn::language_models
