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

/// What is added is the normalised row.
inline Matrix norm_added(const Matrix& x, const Parts& parts)
{
    const Matrix n = parts.norm_1(x);
    const Matrix y = n + parts.attention(n);
    const Matrix m = parts.norm_2(y);
    return Matrix(m + parts.feed_forward(m));
}

/// One residual connection around both sublayers.
inline Matrix around_both(const Matrix& x, const Parts& parts)
{
    const Matrix y = parts.attention(parts.norm_1(x));
    return Matrix(x + parts.feed_forward(parts.norm_2(y)));
}

/// Both sublayers are asked with x.
inline Matrix side_by_side(const Matrix& x, const Parts& parts)
{
    return Matrix(x + parts.attention(parts.norm_1(x)) + parts.feed_forward(parts.norm_2(x)));
}

inline Matrix one_norm(const Matrix& x, const Parts& parts)
{
    const Matrix y = x + parts.attention(parts.norm_1(x));
    return Matrix(y + parts.feed_forward(parts.norm_1(y)));
}

inline const testing::Attempts<Matrix(const Matrix&, const Parts&)>
    all("encoder_layer", {{"right", right, ""},
                          {"post_norm", post_norm, "must not touch what is handed on"},
                          {"no_residual", no_residual, "the residual connections hand x on"},
                          {"norm_added", norm_added, "must not touch what is handed on"},
                          {"around_both", around_both, "not one around both"},
                          {"side_by_side", side_by_side, "are asked with that 3"},
                          {"one_norm", one_norm, "norm_2 for the second"}});

} // namespace attn::transformer::your_turn::encoder_layer_attempts
