/// \file
/// \brief Attempts at chapter 1's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::lookup::your_turn {

using testing::Mistake;

inline const Mistake sums_columns("softmax: sums_columns", "of its own row, not of a column");
inline const Mistake no_maximum("softmax: no_maximum", "exp(1000) is infinite");

inline Matrix softmax(const Matrix& scores, double temperature)
{
    if (no_maximum) {
        const Matrix exponentials = xt::exp(scores / temperature);
        const Matrix sums = xt::sum(exponentials, {1}, xt::keep_dims);
        return Matrix(exponentials / sums);
    }
    return sums_columns
               ? Matrix(xt::transpose(lookup::softmax(xt::transpose(scores), temperature)))
               : lookup::softmax(scores, temperature);
}

inline const Mistake scores_scaled("attend: scores_scaled", "neither scaled nor normalised");
inline const Mistake masked_values_added("attend: masked_values_added", "0 times nan is nan");

inline Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                        const Score& score, const Normaliser& normalise)
{
    Attention found = lookup::attend(queries, keys, values, score, normalise);
    if (scores_scaled) {
        found.scores /= std::sqrt(static_cast<double>(keys.shape(1)));
    }
    if (masked_values_added) {
        found.context = dot_product(found.weights, xt::transpose(values));
    }
    return found;
}

} // namespace attn::lookup::your_turn
