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

inline Vector overflows(const Vector& scores, const Matrix& annotations, std::size_t n_words)
{
    return mean(scores, annotations, n_words, false);
}

inline const testing::Attempts<Vector(const Vector&, const Matrix&, std::size_t)>
    all("context", {{"right", right, ""},
                    {"padding_seen", padding_seen, "it must have no weight"},
                    {"overflows", overflows, "Subtract the largest score"}});

} // namespace attn::bahdanau::your_turn::context_attempts
