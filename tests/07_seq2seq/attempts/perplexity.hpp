/// \file
/// \brief Attempts at chapter 7's perplexity. The first is right; each other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace attn::seq2seq::your_turn::perplexity_attempts {

/// The sum of the logarithms that count.
inline double sum_that_counts(const Vector& log_p, const std::vector<bool>& counts)
{
    double result = 0;
    for (std::size_t t = 0; t < log_p.size(); ++t) {
        result += counts[t] ? log_p(t) : 0;
    }
    return result;
}

/// How many count.
inline double n_of(const std::vector<bool>& counts)
{
    double n = 0;
    for (const bool one : counts) {
        n += one ? 1 : 0;
    }
    return n;
}

inline double right(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp(-sum_that_counts(log_p, counts) / n_of(counts));
}

inline double sign_forgotten(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp(sum_that_counts(log_p, counts) / n_of(counts));
}

inline double padding_in_n(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp(-sum_that_counts(log_p, counts) / static_cast<double>(log_p.size()));
}

inline const testing::Attempts<double(const Vector&, const std::vector<bool>&)>
    all("perplexity", {{"right", right, ""},
                       {"sign_forgotten", sign_forgotten, "a perplexity is at least 1"},
                       {"padding_in_n", padding_in_n, "nor counted in n"}});

} // namespace attn::seq2seq::your_turn::perplexity_attempts
