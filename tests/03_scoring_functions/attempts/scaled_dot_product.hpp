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

inline Matrix multiplied(const Matrix& queries, const Matrix& keys)
{
    return dot_products(queries, keys) * root(keys.shape(1));
}

inline Matrix root_of_the_number_of_keys(const Matrix& queries, const Matrix& keys)
{
    return dot_products(queries, keys) / root(keys.shape(0));
}

/// A row a key.
inline Matrix transposed(const Matrix& queries, const Matrix& keys)
{
    return right(keys, queries);
}

/// Divided by the length of the query.
inline Matrix query_of_length_one(const Matrix& queries, const Matrix& keys)
{
    Matrix scores = dot_products(queries, keys);
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        double square = 0;
        for (std::size_t m = 0; m < queries.shape(1); ++m) {
            square += queries(i, m) * queries(i, m);
        }
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            scores(i, j) /= std::sqrt(square);
        }
    }
    return scores;
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&)>
    all("scaled_dot_product",
        {{"right", right, ""},
         {"not_divided", not_divided, "near d: a sum of d products, not scaled at all"},
         {"divided_by_d", divided_by_d, "divided by d and not by its root"},
         {"multiplied", multiplied, "multiplied by the root of d instead of divided"},
         {"root_of_the_number_of_keys", root_of_the_number_of_keys, "neither the 4 keys"},
         {"transposed", transposed, "a row a query and a column a key"},
         {"query_of_length_one", query_of_length_one, "that would be the cosine"}});

} // namespace attn::scoring_functions::your_turn::scaled_dot_product_attempts
