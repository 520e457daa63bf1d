/// \file
/// \brief Attempts at chapter 6's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

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
    const Matrix asked =
        xt::view(states, xt::range(std::size_t{0}, itself_among_them ? last + 1 : last));
    if (asked.shape(0) == 0) {
        return xt::zeros<double>({states.shape(1)});
    }
    const Matrix scores = lookup::dot_product(single_row(states, last), asked);
    const Matrix exponentials = xt::exp(scores);
    const double sum = xt::sum(exponentials)();
    return xt::row(lookup::weighted_sum(
                       overflows ? Matrix(exponentials / sum) : lookup::softmax(scores), asked),
                   0);
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
