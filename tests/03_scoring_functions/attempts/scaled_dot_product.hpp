/// \file
/// \brief Attempts at chapter 3's scaled dot product. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::scoring_functions::your_turn::scaled_dot_product_attempts {

inline Matrix dot_products(const Matrix& queries, const Matrix& keys)
{
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t m = 0; m < keys.shape(1); ++m) {
                scores(i, j) += queries(i, m) * keys(j, m);
            }
        }
    }
    return scores;
}

inline double root(std::size_t count)
{
    return std::sqrt(static_cast<double>(count));
}

inline Matrix right(const Matrix& queries, const Matrix& keys)
{
    return dot_products(queries, keys) / root(keys.shape(1));
}

inline Matrix not_divided(const Matrix& queries, const Matrix& keys)
{
    return dot_products(queries, keys);
}

inline Matrix divided_by_d(const Matrix& queries, const Matrix& keys)
{
    return dot_products(queries, keys) / static_cast<double>(keys.shape(1));
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&)>
    all("scaled_dot_product",
        {{"right", right, ""},
         {"not_divided", not_divided, "near d: a sum of d products, not scaled at all"},
         {"divided_by_d", divided_by_d, "divided by d and not by its root"}});

} // namespace attn::scoring_functions::your_turn::scaled_dot_product_attempts
