/// \file
/// \brief Attempts at chapter 3's additive score. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn::scoring_functions::your_turn::additive_attempts {

/// One number of W x, over the first n_terms numbers of x.
inline double product(const Matrix& W, std::size_t hidden, const Matrix& x, std::size_t row,
                      std::size_t n_terms)
{
    double sum = 0;
    for (std::size_t m = 0; m < n_terms; ++m) {
        sum += W(hidden, m) * x(row, m);
    }
    return sum;
}

/// Scores each pair by a sum over the hidden units, unit(W_q q, W_k k, b, w).
template <typename Unit>
Matrix summed(const Matrix& queries, const Matrix& keys, const Matrix& W_q, const Matrix& W_k,
              const Vector& b, const Vector& w, const Unit& unit)
{
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t hidden = 0; hidden < w.size(); ++hidden) {
                const double from_query = product(W_q, hidden, queries, i, queries.shape(1));
                const double from_key = product(W_k, hidden, keys, j, keys.shape(1));
                scores(i, j) += unit(from_query, from_key, b(hidden), w(hidden));
            }
        }
    }
    return scores;
}

inline Matrix right(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                    const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return weight * std::tanh(from_query + from_key + bias);
                  });
}

inline Matrix tanh_of_each_part(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                                const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return weight *
                             (std::tanh(from_query) + std::tanh(from_key) + std::tanh(bias));
                  });
}

inline Matrix no_tanh(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                      const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return weight * (from_query + from_key + bias);
                  });
}

inline Matrix cut_at_zero(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                          const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return weight * std::max(0.0, from_query + from_key + bias);
                  });
}

inline Matrix bias_forgotten(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                             const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double, double weight) {
                      return weight * std::tanh(from_query + from_key);
                  });
}

inline Matrix bias_outside(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                           const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return weight * (std::tanh(from_query + from_key) + bias);
                  });
}

inline Matrix w_inside(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                       const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double weight) {
                      return std::tanh(weight * (from_query + from_key + bias));
                  });
}

inline Matrix w_forgotten(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                          const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double bias, double) {
                      return std::tanh(from_query + from_key + bias);
                  });
}

/// The keys are read as far as a query is long.
inline Matrix keys_cut_at_d_q(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                              const Matrix& W_k, const Vector& b, const Vector& w)
{
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t hidden = 0; hidden < w.size(); ++hidden) {
                const std::size_t d_q = queries.shape(1);
                scores(i, j) +=
                    w(hidden) * std::tanh(product(W_q, hidden, queries, i, d_q) +
                                          product(W_k, hidden, keys, j, d_q) + b(hidden));
            }
        }
    }
    return scores;
}

/// A row a key.
inline Matrix transposed(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                         const Matrix& W_k, const Vector& b, const Vector& w)
{
    return xt::transpose(right(queries, keys, W_q, W_k, b, w));
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&,
                                      const Matrix&, const Vector&, const Vector&)>
    all("additive", {{"right", right, ""},
                     {"tanh_of_each_part", tanh_of_each_part, "With a tanh around each part"},
                     {"no_tanh", no_tanh, "where is your tanh?"},
                     {"cut_at_zero", cut_at_zero, "a cut at 0 does not do that"},
                     {"bias_forgotten", bias_forgotten, "b is neither forgotten nor"},
                     {"bias_outside", bias_outside, "nor added outside of the tanh"},
                     {"w_inside", w_inside, "w stands outside of the tanh"},
                     {"w_forgotten", w_forgotten, "twice w, twice the score"},
                     {"keys_cut_at_d_q", keys_cut_at_d_q, "number 4 of the key counts"},
                     {"transposed", transposed, "a row a query and a column a key"}});

} // namespace attn::scoring_functions::your_turn::additive_attempts
