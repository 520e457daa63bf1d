/// \file
/// \brief Attempts at chapter 7's mean of the states. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cstddef>

namespace attn::seq2seq::your_turn::mean_context_attempts {

/// The sum of the rows from, ..., to - 1 over n.
inline Vector mean(const Matrix& states, std::size_t from, std::size_t to, std::size_t n)
{
    Vector sum = xt::zeros<double>({states.shape(1)});
    for (std::size_t t = from; t < to; ++t) {
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            sum(m) += states(t, m);
        }
    }
    return sum / static_cast<double>(n);
}

inline Vector right(const Matrix& states, std::size_t length)
{
    return mean(states, 0, length, length);
}

inline Vector padding_counted(const Matrix& states, std::size_t /*length*/)
{
    return mean(states, 0, states.shape(0), states.shape(0));
}

inline Vector wrong_divisor(const Matrix& states, std::size_t length)
{
    return mean(states, 0, length, states.shape(0));
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

inline Vector sum_only(const Matrix& states, std::size_t length)
{
    return mean(states, 0, length, 1);
}

inline Vector one_a_word(const Matrix& states, std::size_t /*length*/)
{
    return xt::mean(states, {1});
}

inline const testing::Attempts<Vector(const Matrix&, std::size_t)>
    all("mean_context", {{"right", right, ""},
                         {"padding_counted", padding_counted, "not by the 4 rows"},
                         {"wrong_divisor", wrong_divisor, "not by the 4 rows"},
                         {"padding_times_zero", padding_times_zero, "still not a number"},
                         {"sum_only", sum_only, "the sum of the states over their number"},
                         {"one_a_word", one_a_word, "their mean has 3 numbers"}});

} // namespace attn::seq2seq::your_turn::mean_context_attempts
