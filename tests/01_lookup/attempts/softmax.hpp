/// \file
/// \brief Attempts at chapter 1's softmax. The first is right; each other makes one mistake.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cmath>

namespace attn::lookup::your_turn::softmax_attempts {

inline double row_maximum(const Matrix& scores, std::size_t i)
{
    double maximum = scores(i, 0);
    for (std::size_t j = 1; j < scores.shape(1); ++j) {
        maximum = std::max(maximum, scores(i, j));
    }
    return maximum;
}

/// Divides each row by its sum.
inline Matrix shares(Matrix weights)
{
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < weights.shape(1); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

inline Matrix right(const Matrix& scores, double temperature)
{
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = row_maximum(scores, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp((scores(i, j) - maximum) / temperature);
        }
    }
    return shares(weights);
}

/// The sum runs over the queries.
inline Matrix sums_columns(const Matrix& scores, double temperature)
{
    Matrix weights = right(scores, temperature);
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            sum += weights(i, j);
        }
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

/// The sum runs over everything.
inline Matrix sums_the_matrix(const Matrix& scores, double temperature)
{
    const Matrix weights = right(scores, temperature);
    return weights / static_cast<double>(scores.shape(0));
}

/// Exponentiates and stops there.
inline Matrix not_divided(const Matrix& scores, double temperature)
{
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = row_maximum(scores, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp((scores(i, j) - maximum) / temperature);
        }
    }
    return weights;
}

/// Each score's share of the row's sum.
inline Matrix not_exponentiated(const Matrix& scores, double temperature)
{
    return shares(scores / temperature);
}

/// 2 instead of e.
inline Matrix base_two(const Matrix& scores, double temperature)
{
    return right(scores * std::log(2.0), temperature);
}

inline Matrix temperature_multiplied(const Matrix& scores, double temperature)
{
    return right(scores, 1 / temperature);
}

inline Matrix temperature_forgotten(const Matrix& scores, double)
{
    return right(scores, 1);
}

inline Matrix no_maximum(const Matrix& scores, double temperature)
{
    return shares(xt::exp(scores / temperature));
}

/// A maximum that is never below 0, where the search for it began.
inline Matrix maximum_from_zero(const Matrix& scores, double temperature)
{
    Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double maximum = std::max(0.0, row_maximum(scores, i));
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp((scores(i, j) - maximum) / temperature);
        }
    }
    return shares(weights);
}

inline Matrix maximum_of_the_matrix(const Matrix& scores, double temperature)
{
    const double maximum = *std::max_element(scores.begin(), scores.end());
    return shares(xt::exp((scores - maximum) / temperature));
}

inline Matrix maximum_after_division(const Matrix& scores, double temperature)
{
    return right(scores / temperature, 1);
}

inline const testing::Attempts<Matrix(const Matrix&, double)>
    all("softmax",
        {{"right", right, ""},
         {"sums_columns", sums_columns, "of its own row, not of a column"},
         {"sums_the_matrix", sums_the_matrix, "not of a column or of the whole matrix"},
         {"not_divided", not_divided, "divide by the sum over the keys"},
         {"not_exponentiated", not_exponentiated, "did you exponentiate?"},
         {"base_two", base_two, "e to the power of its score"},
         {"temperature_multiplied", temperature_multiplied, "do not multiply them"},
         {"temperature_forgotten", temperature_forgotten, "and do not forget it"},
         {"no_maximum", no_maximum, "exp(1000) is infinite"},
         {"maximum_from_zero", maximum_from_zero, "exp(-1000) is 0, and 0 / 0 is not a number"},
         {"maximum_of_the_matrix", maximum_of_the_matrix, "not of the whole matrix"},
         {"maximum_after_division", maximum_after_division,
          "subtract the maximum before you divide by the temperature"}});

} // namespace attn::lookup::your_turn::softmax_attempts
