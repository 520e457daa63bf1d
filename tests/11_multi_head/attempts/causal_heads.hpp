/// \file
/// \brief Attempts at chapter 11's causal attention in several heads. The first is right; each
/// other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace attn::multi_head::your_turn::causal_heads_attempts {

/// Whether a query sees all keys, whether the root is that of a head's d or of the whole d.
inline Matrix heads(const Matrix& queries, const Matrix& keys, const Matrix& values,
                    std::size_t n_heads, bool sees_all, bool own_root)
{
    const std::size_t n = queries.shape(0);
    const std::size_t d = queries.shape(1);
    const std::size_t d_head = d / n_heads;
    const double root = std::sqrt(static_cast<double>(own_root ? d_head : d));
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
            double all = 0;
            for (double& score : scores) {
                score = std::exp(score - largest);
                all += score;
            }
            for (std::size_t j = 0; j < scores.size(); ++j) {
                for (std::size_t m = h; m < h + d_head; ++m) {
                    contexts(i, m) += scores[j] / all * values(j, m);
                }
            }
        }
    }
    return contexts;
}

inline Matrix right(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, false, true);
}

inline Matrix sees_all(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, true, true);
}

inline Matrix root_of_d(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, false, false);
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&, std::size_t)>
    all("causal_heads", {{"right", right, ""},
                         {"sees_all", sees_all, "must not change what comes before it"},
                         {"root_of_d", root_of_d, "the root is that of d / H"}});

} // namespace attn::multi_head::your_turn::causal_heads_attempts
