/// \file
/// \brief Attempts at chapter 2's weights. The first is right; each other makes one mistake.
/// All ask the kernel that this run is about, as a reader's would.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/02_nadaraya_watson/attempts/epanechnikov.hpp"
#include "tests/support/attempts.hpp"

namespace attn::nadaraya_watson::your_turn::weights_attempts {

/// The kernel's values, with distances as they are measured in widths.
inline Matrix kernel_values(const Vector& queries, const Vector& keys, double bandwidth)
{
    Matrix values = Matrix::from_shape({queries.size(), keys.size()});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        for (std::size_t j = 0; j < keys.size(); ++j) {
            values(i, j) =
                epanechnikov_attempts::all.chosen()((queries(i) - keys(j)) / bandwidth);
        }
    }
    return values;
}

inline double row_sum(const Matrix& values, std::size_t i)
{
    double sum = 0;
    for (std::size_t j = 0; j < values.shape(1); ++j) {
        sum += values(i, j);
    }
    return sum;
}

inline Matrix right(const Vector& queries, const Vector& keys, double bandwidth)
{
    Matrix weights = kernel_values(queries, keys, bandwidth);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const double sum = row_sum(weights, i);
        for (std::size_t j = 0; j < keys.size(); ++j) {
            weights(i, j) = sum > 0 ? weights(i, j) / sum : 0;
        }
    }
    return weights;
}

inline Matrix bandwidth_ignored(const Vector& queries, const Vector& keys, double)
{
    return right(queries, keys, 1);
}

inline Matrix empty_window_divided(const Vector& queries, const Vector& keys, double bandwidth)
{
    Matrix weights = kernel_values(queries, keys, bandwidth);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const double sum = row_sum(weights, i);
        for (std::size_t j = 0; j < keys.size(); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

inline const testing::Attempts<Matrix(const Vector&, const Vector&, double)>
    all("weights", {{"right", right, ""},
                    {"bandwidth_ignored", bandwidth_ignored, "in other units"},
                    {"empty_window_divided", empty_window_divided, "0 / 0 is not a number"}});

} // namespace attn::nadaraya_watson::your_turn::weights_attempts
