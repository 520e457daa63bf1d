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

inline double power_of_two(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp2(-sum_that_counts(log_p, counts) / n_of(counts));
}

inline double arithmetic_mean(const Vector& log_p, const std::vector<bool>& counts)
{
    double result = 0;
    for (std::size_t t = 0; t < log_p.size(); ++t) {
        result += counts[t] ? std::exp(-log_p(t)) : 0;
    }
    return result / n_of(counts);
}

inline double padding_in_n(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp(-sum_that_counts(log_p, counts) / static_cast<double>(log_p.size()));
}

inline double padding_summed(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::exp(-sum_that_counts(log_p, std::vector<bool>(log_p.size(), true)) /
                    n_of(counts));
}

inline double product_first(const Vector& log_p, const std::vector<bool>& counts)
{
    return std::pow(std::exp(sum_that_counts(log_p, counts)), -1 / n_of(counts));
}

inline const testing::Attempts<double(const Vector&, const std::vector<bool>&)>
    all("perplexity", {{"right", right, ""},
                       {"sign_forgotten", sign_forgotten, "a perplexity is at least 1"},
                       {"power_of_two", power_of_two, "not with powers of 2"},
                       {"arithmetic_mean", arithmetic_mean, "not their arithmetic mean"},
                       {"padding_in_n", padding_in_n, "nor counted in n"},
                       {"padding_summed", padding_summed, "must not be summed"},
                       {"product_first", product_first, "take the mean of the logarithms"}});

} // namespace attn::seq2seq::your_turn::perplexity_attempts
