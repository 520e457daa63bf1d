/// \file
/// \brief Attempts at chapter 11's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace attn::multi_head::your_turn {

using testing::Mistake;

inline const Mistake sees_all("causal_heads: sees_all", "must not change what comes before it");
inline const Mistake root_of_d("causal_heads: root_of_d", "the root is that of d / H");

inline Matrix causal_heads(const Matrix& queries, const Matrix& keys, const Matrix& values,
                           std::size_t n_heads)
{
    const std::size_t n = queries.shape(0);
    const std::size_t d = queries.shape(1);
    const std::size_t d_head = d / n_heads;
    const double root = std::sqrt(static_cast<double>(root_of_d ? d : d_head));
    Matrix contexts = xt::zeros<double>({n, d});
    for (std::size_t h = 0; h < d; h += d_head) {
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<double> scores(sees_all ? n : i + 1, 0.0);
            for (std::size_t j = 0; j < scores.size(); ++j) {
                for (std::size_t m = h; m < h + d_head; ++m) {
                    scores[j] += queries(i, m) * keys(j, m) / root;
                }
            }
            const double largest = *std::max_element(scores.begin(), scores.end());
            double sum = 0;
            for (double& score : scores) {
                score = std::exp(score - largest);
                sum += score;
            }
            for (std::size_t j = 0; j < scores.size(); ++j) {
                for (std::size_t m = h; m < h + d_head; ++m) {
                    contexts(i, m) += scores[j] / sum * values(j, m);
                }
            }
        }
    }
    return contexts;
}

inline const Mistake backwards("rotated: backwards", "towards the second");
inline const Mistake speed_of_j("rotated: speed_of_j", "two numbers make a pair");

inline Vector rotated(const Vector& x, double position)
{
    Vector y = x;
    for (std::size_t j = 0; j < x.size() / 2; ++j) {
        const auto exponent = static_cast<double>(speed_of_j ? j : 2 * j);
        const double angle =
            position * std::pow(10000.0, -exponent / static_cast<double>(x.size()));
        const double a = backwards ? -angle : angle;
        y(2 * j) = std::cos(a) * x(2 * j) - std::sin(a) * x(2 * j + 1);
        y(2 * j + 1) = std::sin(a) * x(2 * j) + std::cos(a) * x(2 * j + 1);
    }
    return y;
}

} // namespace attn::multi_head::your_turn
