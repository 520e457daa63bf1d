/// \file
/// \brief Attempts at the context of a step of chapter 8. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::bahdanau::your_turn::context_attempts {

/// The mean of the first rows under powers of their scores, less a shift.
inline Vector mean(const Vector& scores, const Matrix& annotations, std::size_t n, bool shifted)
{
    const double largest =
        shifted ? *std::max_element(scores.begin(), scores.begin() + static_cast<long>(n)) : 0;
    Vector result = xt::zeros<double>({annotations.shape(1)});
    double all = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const double power = std::exp(scores(j) - largest);
        all += power;
        for (std::size_t m = 0; m < annotations.shape(1); ++m) {
            result(m) += power * annotations(j, m);
        }
    }
    return Vector(result / all);
}

inline Vector right(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    return mean(scores, annotations, n_words, true);
}

inline Vector padding_seen(const Vector& scores, const Matrix& annotations,
                           std::size_t /*n_words*/)
{
    return mean(scores, annotations, scores.size(), true);
}

/// Weights of 0 for what fills up, but they are multiplied.
inline Vector zero_times_infinity(const Vector& scores, const Matrix& annotations,
                                  std::size_t n_words)
{
    Vector context = right(scores, annotations, n_words);
    for (std::size_t j = n_words; j < scores.size(); ++j) {
        for (std::size_t m = 0; m < context.size(); ++m) {
            context(m) += 0 * annotations(j, m);
        }
    }
    return context;
}

inline Vector overflows(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    return mean(scores, annotations, n_words, false);
}

/// Scores over their sum, without powers.
inline Vector no_powers(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    Vector result = xt::zeros<double>({annotations.shape(1)});
    double all = 0;
    for (std::size_t j = 0; j < n_words; ++j) {
        all += scores(j);
        for (std::size_t m = 0; m < result.size(); ++m) {
            result(m) += scores(j) * annotations(j, m);
        }
    }
    return all == 0 ? result : Vector(result / all);
}

/// The annotation with the largest score.
inline Vector the_largest(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    const auto largest =
        std::max_element(scores.begin(), scores.begin() + static_cast<long>(n_words));
    return Vector(xt::row(annotations, largest - scores.begin()));
}

inline Vector weights(const Vector& scores, const Matrix& /*annotations*/,
                      std::size_t /*n_words*/)
{
    return Vector(xt::ones<double>({scores.size()}));
}

inline const testing::Attempts<Vector(const Vector&, const Matrix&, std::size_t)>
    all("context", {{"right", right, ""},
                    {"padding_seen", padding_seen, "it must have no weight"},
                    {"zero_times_infinity", zero_times_infinity, "it must not be touched"},
                    {"overflows", overflows, "Subtract the largest score"},
                    {"no_powers", no_powers, "the softmax is a power over the sum"},
                    {"the_largest", the_largest, "so the weights are 1/4 and 3/4"},
                    {"weights", weights, "the context is their mean and has 2"}});

} // namespace attn::bahdanau::your_turn::context_attempts
