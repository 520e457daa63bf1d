/// \file
/// \brief Attempts at chapter 2's weights. The first is right; each other makes one mistake.
/// All ask the kernel that this run is about, as a reader's would.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/02_nadaraya_watson/attempts/epanechnikov.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

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

inline Matrix bandwidth_multiplied(const Vector& queries, const Vector& keys, double bandwidth)
{
    return right(queries, keys, 1 / bandwidth);
}

/// The estimate of a density.
inline Matrix divided_by_the_bandwidth(const Vector& queries, const Vector& keys,
                                       double bandwidth)
{
    return kernel_values(queries, keys, bandwidth) / bandwidth;
}

/// As if every key were in the window.
inline Matrix divided_by_the_number_of_keys(const Vector& queries, const Vector& keys,
                                            double bandwidth)
{
    return kernel_values(queries, keys, bandwidth) / static_cast<double>(keys.size());
}

/// Each key shares itself out among the queries.
inline Matrix sums_columns(const Vector& queries, const Vector& keys, double bandwidth)
{
    return xt::transpose(right(keys, queries, bandwidth));
}

/// A row a key.
inline Matrix transposed(const Vector& queries, const Vector& keys, double bandwidth)
{
    return xt::transpose(right(queries, keys, bandwidth));
}

/// Of two keys at the same place only the first.
inline Matrix doubles_dropped(const Vector& queries, const Vector& keys, double bandwidth)
{
    Matrix weights = kernel_values(queries, keys, bandwidth);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        for (std::size_t j = 1; j < keys.size(); ++j) {
            weights(i, j) = keys(j) == keys(j - 1) ? 0 : weights(i, j);
        }
        const double sum = row_sum(weights, i);
        for (std::size_t j = 0; j < keys.size(); ++j) {
            weights(i, j) = sum > 0 ? weights(i, j) / sum : 0;
        }
    }
    return weights;
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

/// The mean of all values where no key is near.
inline Matrix empty_window_averaged(const Vector& queries, const Vector& keys, double bandwidth)
{
    Matrix weights = right(queries, keys, bandwidth);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (row_sum(weights, i) == 0) {
            for (std::size_t j = 0; j < keys.size(); ++j) {
                weights(i, j) = 1 / static_cast<double>(keys.size());
            }
        }
    }
    return weights;
}

inline const testing::Attempts<Matrix(const Vector&, const Vector&, double)> all(
    "weights",
    {{"right", right, ""},
     {"bandwidth_ignored", bandwidth_ignored, "in other units"},
     {"bandwidth_multiplied", bandwidth_multiplied, "asked for u = (query - key) / bandwidth"},
     {"divided_by_the_bandwidth", divided_by_the_bandwidth,
      "the key's share of all the row's kernel values"},
     {"divided_by_the_number_of_keys", divided_by_the_number_of_keys, "divide by their sum"},
     {"sums_columns", sums_columns, "share of all the row's kernel values"},
     {"transposed", transposed, "a row a query and a column a key"},
     {"doubles_dropped", doubles_dropped, "two keys at the same place weigh the same"},
     {"empty_window_divided", empty_window_divided, "0 / 0 is not a number"},
     {"empty_window_averaged", empty_window_averaged, "the weights of an empty window are 0"}});

} // namespace attn::nadaraya_watson::your_turn::weights_attempts
