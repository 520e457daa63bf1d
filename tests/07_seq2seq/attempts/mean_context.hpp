/// \file
/// \brief Attempts at chapter 7's mean of the states. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::seq2seq::your_turn::mean_context_attempts {

/// The mean of the rows 0, ..., n - 1.
inline Vector mean(const Matrix& states, std::size_t n)
{
    Vector sum = xt::zeros<double>({states.shape(1)});
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            sum(m) += states(t, m);
        }
    }
    return sum / static_cast<double>(n);
}

inline Vector right(const Matrix& states, std::size_t length)
{
    return mean(states, length);
}

inline Vector padding_counted(const Matrix& states, std::size_t /*length*/)
{
    return mean(states, states.shape(0));
}

/// Padding times 0, which keeps what is not a number.
inline Vector padding_times_zero(const Matrix& states, std::size_t length)
{
    Vector sum = xt::zeros<double>({states.shape(1)});
    for (std::size_t t = 0; t < states.shape(0); ++t) {
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            sum(m) += (t < length ? 1.0 : 0.0) * states(t, m);
        }
    }
    return sum / static_cast<double>(length);
}

inline const testing::Attempts<Vector(const Matrix&, std::size_t)>
    all("mean_context", {{"right", right, ""},
                         {"padding_counted", padding_counted, "not by the 4 rows"},
                         {"padding_times_zero", padding_times_zero, "still not a number"}});

} // namespace attn::seq2seq::your_turn::mean_context_attempts
