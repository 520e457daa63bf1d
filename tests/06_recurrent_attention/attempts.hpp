/// \file
/// \brief Attempts at chapter 6's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace attn::recurrent_attention::your_turn {

using testing::Mistake;

inline const Mistake itself_among_them("context_of_last: itself_among_them",
                                       "is not itself among those asked");
inline const Mistake overflows("context_of_last: overflows", "Subtract the largest score");

inline Vector context_of_last(const Matrix& states)
{
    const std::size_t last = states.shape(0) - 1;
    const std::size_t n = itself_among_them ? last + 1 : last;
    Vector context = xt::zeros<double>({states.shape(1)});
    std::vector<double> scores(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            scores[i] += states(i, m) * states(last, m);
        }
    }
    if (n == 0) {
        return context;
    }
    const double largest = overflows ? 0 : *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double exponential = std::exp(scores[i] - largest);
        sum += exponential;
        for (std::size_t m = 0; m < states.shape(1); ++m) {
            context(m) += exponential * states(i, m);
        }
    }
    return Vector(context / sum);
}

inline const Mistake first_answer_only("learning_windows: first_answer_only",
                                       "with three answers the last window ends at");
inline const Mistake one_too_far("learning_windows: one_too_far", "the last one ends at 4");

inline std::vector<std::size_t> learning_windows(std::size_t window, std::size_t n_horizons,
                                                 std::size_t kept_back)
{
    const std::size_t ahead = first_answer_only ? 1 : n_horizons;
    const std::size_t end = one_too_far ? kept_back + 1 : kept_back;
    std::vector<std::size_t> rows;
    for (std::size_t t = window - 1; t + ahead < end; ++t) {
        rows.push_back(t);
    }
    return rows;
}

} // namespace attn::recurrent_attention::your_turn
