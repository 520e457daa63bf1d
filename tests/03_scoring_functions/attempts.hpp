/// \file
/// \brief Attempts at chapter 3's functions: right, but for the mistake that a run makes.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::scoring_functions::your_turn {

using testing::Mistake;

inline const Mistake not_divided("scaled_dot_product: not_divided",
                                 "near d: a sum of d products, not scaled at all");
inline const Mistake divided_by_d("scaled_dot_product: divided_by_d",
                                  "divided by d and not by its root");

inline Matrix scaled_dot_product(const Matrix& queries, const Matrix& keys)
{
    const double root = std::sqrt(static_cast<double>(keys.shape(1)));
    const double factor = not_divided ? root : divided_by_d ? 1 / root : 1;
    return Matrix(factor * scoring_functions::scaled_dot_product(queries, keys));
}

inline const Mistake tanh_of_each_part("additive: tanh_of_each_part",
                                       "With a tanh around each part");
inline const Mistake bias_forgotten("additive: bias_forgotten", "b is neither forgotten nor");

inline Matrix additive(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                       const Matrix& W_k, const Vector& b, const Vector& w)
{
    const Additive unbiased{W_q, W_k, Vector(0.0 * b), w};
    if (tanh_of_each_part) {
        return Matrix(scoring_functions::additive(queries, Matrix(0.0 * keys), unbiased) +
                      scoring_functions::additive(Matrix(0.0 * queries), keys, unbiased));
    }
    return scoring_functions::additive(queries, keys,
                                       bias_forgotten ? unbiased : Additive{W_q, W_k, b, w});
}

inline const Mistake masked_after_the_softmax("masked_softmax: masked_after_the_softmax",
                                              "hide first and divide then");
inline const Mistake large_negative_number(
    "masked_softmax: large_negative_number",
    "a large negative number in place of minus infinity is still above them");

inline Matrix masked_softmax(const Matrix& scores, const Mask& mask)
{
    if (masked_after_the_softmax) {
        return Matrix(xt::where(mask, lookup::softmax(scores), 0.0));
    }
    return large_negative_number ? lookup::softmax(mask_scores(scores, mask, -1e9))
                                 : scoring_functions::masked_softmax(scores, mask);
}

} // namespace attn::scoring_functions::your_turn
