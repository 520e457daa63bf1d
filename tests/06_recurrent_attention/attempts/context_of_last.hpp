/// \file
/// \brief Attempts at chapter 6's question of the last state. The first is right; each other
/// makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::recurrent_attention::your_turn::context_of_last_attempts {

/// The states 0, ..., to - 1 under the softmax of their products with the last one, less a
/// shift.
inline Vector context(const Matrix& states, std::size_t to, bool shifted)
{
    const std::size_t d = states.shape(1);
    const std::size_t last = states.shape(0) - 1;
    Vector scores = xt::zeros<double>({last + 1});
    double largest = -1e300;
    for (std::size_t i = 0; i < to; ++i) {
        for (std::size_t m = 0; m < d; ++m) {
            scores(i) += states(i, m) * states(last, m);
        }
        largest = std::max(largest, scores(i));
    }
    Vector result = xt::zeros<double>({d});
    double all = 0;
    for (std::size_t i = 0; i < to; ++i) {
        const double power = std::exp(scores(i) - (shifted ? largest : 0.0));
        all += power;
        for (std::size_t m = 0; m < d; ++m) {
            result(m) += power * states(i, m);
        }
    }
    return to == 0 ? result : Vector(result / all);
}

inline Vector right(const Matrix& states)
{
    return context(states, states.shape(0) - 1, true);
}

inline Vector itself_among_them(const Matrix& states)
{
    return context(states, states.shape(0), true);
}

inline Vector overflows(const Matrix& states)
{
    return context(states, states.shape(0) - 1, false);
}

inline const testing::Attempts<Vector(const Matrix&)>
    all("context_of_last",
        {{"right", right, ""},
         {"itself_among_them", itself_among_them, "is not itself among those asked"},
         {"overflows", overflows, "Subtract the largest score"}});

} // namespace attn::recurrent_attention::your_turn::context_of_last_attempts
