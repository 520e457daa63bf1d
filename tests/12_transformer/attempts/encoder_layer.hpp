/// \file
/// \brief Attempts at a layer of chapter 12's encoder. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <functional>

namespace attn::transformer::your_turn {

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

} // namespace attn::transformer::your_turn

namespace attn::transformer::your_turn::encoder_layer_attempts {

inline Matrix right(const Matrix& x, const Parts& parts)
{
    const Matrix y = x + parts.attention(parts.norm_1(x));
    return Matrix(y + parts.feed_forward(parts.norm_2(y)));
}

inline Matrix post_norm(const Matrix& x, const Parts& parts)
{
    const Matrix y = parts.norm_1(Matrix(x + parts.attention(x)));
    return parts.norm_2(Matrix(y + parts.feed_forward(y)));
}

inline Matrix no_residual(const Matrix& x, const Parts& parts)
{
    return parts.feed_forward(parts.norm_2(parts.attention(parts.norm_1(x))));
}

inline const testing::Attempts<Matrix(const Matrix&, const Parts&)>
    all("encoder_layer", {{"right", right, ""},
                          {"post_norm", post_norm, "must not touch what is handed on"},
                          {"no_residual", no_residual, "the residual connections hand x on"}});

} // namespace attn::transformer::your_turn::encoder_layer_attempts
