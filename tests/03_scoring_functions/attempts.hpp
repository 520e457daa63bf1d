/// \file
/// \brief Attempts at chapter 3's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::scoring_functions::your_turn {

using testing::Mistake;

inline const Mistake not_divided("scaled_dot_product: not_divided",
                                 "near d: a sum of d products, not scaled at all");
inline const Mistake divided_by_d("scaled_dot_product: divided_by_d",
                                  "divided by d and not by its root");

inline Matrix scaled_dot_product(const Matrix& queries, const Matrix& keys)
{
    const auto d = static_cast<double>(keys.shape(1));
    const double scale = not_divided ? 1 : divided_by_d ? d : std::sqrt(d);
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t m = 0; m < keys.shape(1); ++m) {
                scores(i, j) += queries(i, m) * keys(j, m) / scale;
            }
        }
    }
    return scores;
}

inline const Mistake tanh_of_each_part("additive: tanh_of_each_part",
                                       "With a tanh around each part");
inline const Mistake bias_forgotten("additive: bias_forgotten", "b is neither forgotten nor");

inline Matrix additive(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                       const Matrix& W_k, const Vector& b, const Vector& w)
{
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t hidden = 0; hidden < w.size(); ++hidden) {
                double q = 0;
                for (std::size_t m = 0; m < queries.shape(1); ++m) {
                    q += W_q(hidden, m) * queries(i, m);
                }
                double k = 0;
                for (std::size_t m = 0; m < keys.shape(1); ++m) {
                    k += W_k(hidden, m) * keys(j, m);
                }
                const double bias = bias_forgotten ? 0 : b(hidden);
                scores(i, j) += w(hidden) * (tanh_of_each_part
                                                 ? std::tanh(q) + std::tanh(k) + std::tanh(bias)
                                                 : std::tanh(q + k + bias));
            }
        }
    }
    return scores;
}

inline const Mistake masked_after_the_softmax("masked_softmax: masked_after_the_softmax",
                                              "hide first and divide then");
inline const Mistake large_negative_number(
    "masked_softmax: large_negative_number",
    "a large negative number in place of minus infinity is still above them");

inline Matrix masked_softmax(const Matrix& scores, const xt::xtensor<bool, 2>& mask)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Matrix weights = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double largest = -infinity;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            if (!mask(i, j) && !masked_after_the_softmax) {
                weights(i, j) = large_negative_number ? -1e9 : -infinity;
            }
            largest = std::max(largest, weights(i, j));
        }
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            const double score = weights(i, j);
            weights(i, j) = score == -infinity ? 0 : std::exp(score - largest);
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            const bool hidden = masked_after_the_softmax && !mask(i, j);
            weights(i, j) = sum == 0 || hidden ? 0 : weights(i, j) / sum;
        }
    }
    return weights;
}

} // namespace attn::scoring_functions::your_turn
