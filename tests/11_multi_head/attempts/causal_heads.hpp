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

/// What may go wrong.
struct Choices
{
    std::size_t seen_beyond = 1; ///< query i sees the first i + seen_beyond keys
    bool own_root = true;        ///< the root of d / H, not of d
    bool scaled = true;          ///< divided by a root at all
    bool interleaved = false;    ///< head h has the columns h, h + H, h + 2 H, ...
    bool shifted = true;         ///< the largest score is subtracted
    bool masked_after = false;   ///< weights of later keys are dropped behind the softmax
};

inline Matrix heads(const Matrix& queries, const Matrix& keys, const Matrix& values,
                    std::size_t n_heads, const Choices& choices)
{
    const std::size_t n = queries.shape(0);
    const std::size_t d = queries.shape(1);
    const std::size_t d_head = d / n_heads;
    const double root = std::sqrt(static_cast<double>(choices.own_root ? d_head : d));
    Matrix contexts = xt::zeros<double>({n, d});
    for (std::size_t h = 0; h < n_heads; ++h) {
        const auto column = [&](std::size_t m) {
            return choices.interleaved ? m * n_heads + h : h * d_head + m;
        };
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t n_seen = std::min(n, i + choices.seen_beyond);
            const std::size_t n_summed = choices.masked_after ? n : n_seen;
            std::vector<double> scores(n_summed, 0.0);
            for (std::size_t j = 0; j < n_summed; ++j) {
                for (std::size_t m = 0; m < d_head; ++m) {
                    scores[j] += queries(i, column(m)) * keys(j, column(m));
                }
                scores[j] /= choices.scaled ? root : 1.0;
            }
            const double largest =
                choices.shifted ? *std::max_element(scores.begin(), scores.end()) : 0.0;
            double all = 0;
            for (double& score : scores) {
                score = std::exp(score - largest);
                all += score;
            }
            for (std::size_t j = 0; j < n_seen; ++j) {
                for (std::size_t m = 0; m < d_head; ++m) {
                    contexts(i, column(m)) += scores[j] / all * values(j, column(m));
                }
            }
        }
    }
    return contexts;
}

inline Matrix right(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {});
}

inline Matrix sees_all(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.seen_beyond = q.shape(0)});
}

inline Matrix sees_next(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.seen_beyond = 2});
}

inline Matrix root_of_d(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.own_root = false});
}

inline Matrix not_scaled(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.scaled = false});
}

inline Matrix one_head(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t)
{
    return heads(q, k, v, 1, {});
}

inline Matrix interleaved(const Matrix& q, const Matrix& k, const Matrix& v,
                          std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.interleaved = true});
}

inline Matrix overflows(const Matrix& q, const Matrix& k, const Matrix& v, std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.shifted = false});
}

inline Matrix masked_after(const Matrix& q, const Matrix& k, const Matrix& v,
                           std::size_t n_heads)
{
    return heads(q, k, v, n_heads, {.masked_after = true});
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&, std::size_t)>
    all("causal_heads", {{"right", right, ""},
                         {"sees_all", sees_all, "must not change what comes before it"},
                         {"sees_next", sees_next, "must not change what comes before it"},
                         {"root_of_d", root_of_d, "the root is that of d / H"},
                         {"not_scaled", not_scaled, "the root is that of d / H"},
                         {"one_head", one_head, "each head has weights of its own"},
                         {"interleaved", interleaved, "blocks of columns side by side"},
                         {"overflows", overflows, "Subtract the largest score"},
                         {"masked_after", masked_after, "weights of a row sum to 1"}});

} // namespace attn::multi_head::your_turn::causal_heads_attempts
