/// \file
/// \brief Attempts at chapter 12's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <functional>

namespace attn::transformer::your_turn {

using testing::Mistake;

/// As in the reader's file.
using Rows = std::function<Matrix(const Matrix& rows)>;

/// As in the reader's file.
struct Parts
{
    Rows norm_1;
    Rows attention;
    Rows norm_2;
    Rows feed_forward;
};

inline const Mistake post_norm("encoder_layer: post_norm", "must not touch what is handed on");
inline const Mistake no_residual("encoder_layer: no_residual",
                                 "the residual connections hand x on");

inline Matrix encoder_layer(const Matrix& x, const Parts& parts)
{
    const auto sublayer = [](const Matrix& in, const Rows& norm, const Rows& apply) {
        if (post_norm) {
            return norm(Matrix(in + apply(in)));
        }
        return no_residual ? apply(norm(in)) : Matrix(in + apply(norm(in)));
    };
    return sublayer(sublayer(x, parts.norm_1, parts.attention), parts.norm_2,
                    parts.feed_forward);
}

/// The right word has no part of epsilon.
inline const Mistake wrong_alone("smoothed_targets: wrong_alone", "the right one included");
inline const Mistake too_little("smoothed_targets: too_little", "they must sum to 1");

inline Vector smoothed_targets(std::size_t n_words, std::size_t right, double epsilon)
{
    const double share = epsilon / static_cast<double>(wrong_alone ? n_words - 1 : n_words);
    Vector q = Vector::from_shape({n_words});
    q.fill(share);
    q(right) = wrong_alone || too_little ? 1 - epsilon : 1 - epsilon + share;
    return q;
}

} // namespace attn::transformer::your_turn
