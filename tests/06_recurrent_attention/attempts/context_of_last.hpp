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

/// The states from..., ..., to - 1 under the softmax of factor times their products with the
/// last one, less a shift.
inline Vector context(const Matrix& states, std::size_t from, std::size_t to, double factor,
                      bool shifted)
{
    const std::size_t d = states.shape(1);
    const std::size_t last = states.shape(0) - 1;
    Vector scores = xt::zeros<double>({last + 1});
    double largest = -1e300;
    for (std::size_t i = from; i < to; ++i) {
        for (std::size_t m = 0; m < d; ++m) {
            scores(i) += factor * states(i, m) * states(last, m);
        }
        largest = std::max(largest, scores(i));
    }
    Vector result = xt::zeros<double>({d});
    double all = 0;
    for (std::size_t i = from; i < to; ++i) {
        const double power = std::exp(scores(i) - (shifted ? largest : 0.0));
        all += power;
        for (std::size_t m = 0; m < d; ++m) {
            result(m) += power * states(i, m);
        }
    }
    return from == to ? result : Vector(result / all);
}

inline Vector right(const Matrix& states)
{
    return context(states, 0, states.shape(0) - 1, 1, true);
}

inline Vector itself_among_them(const Matrix& states)
{
    return context(states, 0, states.shape(0), 1, true);
}

inline Vector mean_of_products(const Matrix& states)
{
    return context(states, 0, states.shape(0) - 1, 1 / static_cast<double>(states.shape(1)),
                   true);
}

inline Vector root_of_d(const Matrix& states)
{
    return context(states, 0, states.shape(0) - 1,
                   1 / std::sqrt(static_cast<double>(states.shape(1))), true);
}

inline Vector overflows(const Matrix& states)
{
    return context(states, 0, states.shape(0) - 1, 1, false);
}

/// The first state is left out, as if it were no state.
inline Vector first_forgotten(const Matrix& states)
{
    const std::size_t last = states.shape(0) - 1;
    return context(states, std::min<std::size_t>(last > 1 ? 1 : 0, last), last, 1, true);
}

inline Vector only_state_returned(const Matrix& states)
{
    return states.shape(0) == 1 ? Vector(xt::row(states, 0)) : right(states);
}

/// The weights instead of the context.
inline Vector weights(const Matrix& states)
{
    return xt::ones<double>({states.shape(0) - 1});
}

inline const testing::Attempts<Vector(const Matrix&)>
    all("context_of_last",
        {{"right", right, ""},
         {"itself_among_them", itself_among_them, "is not itself among those asked"},
         {"mean_of_products", mean_of_products, "nothing is divided by d"},
         {"root_of_d", root_of_d, "nothing is divided by d"},
         {"overflows", overflows, "Subtract the largest score"},
         {"first_forgotten", first_forgotten, "all of them are asked"},
         {"only_state_returned", only_state_returned, "nothing was before the only state"},
         {"weights", weights, "the context is a mean of states"}});

} // namespace attn::recurrent_attention::your_turn::context_of_last_attempts
