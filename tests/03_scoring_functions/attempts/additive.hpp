/// \file
/// \brief Attempts at chapter 3's additive score. The first is right; each other makes one
/// mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>
#include <cstddef>

namespace attn::scoring_functions::your_turn::additive_attempts {

/// One number of W x.
inline double product(const Matrix& W, std::size_t hidden, const Matrix& x, std::size_t row)
{
    double sum = 0;
    for (std::size_t m = 0; m < x.shape(1); ++m) {
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
                const double from_query = product(W_q, hidden, queries, i);
                const double from_key = product(W_k, hidden, keys, j);
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

inline Matrix bias_forgotten(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                             const Matrix& W_k, const Vector& b, const Vector& w)
{
    return summed(queries, keys, W_q, W_k, b, w,
                  [](double from_query, double from_key, double, double weight) {
                      return weight * std::tanh(from_query + from_key);
                  });
}

inline const testing::Attempts<Matrix(const Matrix&, const Matrix&, const Matrix&,
                                      const Matrix&, const Vector&, const Vector&)>
    all("additive", {{"right", right, ""},
                     {"tanh_of_each_part", tanh_of_each_part, "With a tanh around each part"},
                     {"bias_forgotten", bias_forgotten, "b is neither forgotten nor"}});

} // namespace attn::scoring_functions::your_turn::additive_attempts
