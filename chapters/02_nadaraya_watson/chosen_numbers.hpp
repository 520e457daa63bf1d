/// \file
/// \brief Keys of many numbers: distances over some of them, and the choice, by leave-one-out
/// alone, of those that matter.
#pragma once

#include "chapters/02_nadaraya_watson/bandwidth.hpp"

#include <cstddef>
#include <vector>

namespace attn::nadaraya_watson {

/// Adds to squared distances what one more of the keys' numbers contributes.
/// \param squared  [n_queries, n_keys]
/// \param column   which number
void add_column(Matrix& squared, const Matrix& queries, const Matrix& keys, std::size_t column);

/// Squared distances over some of the keys' numbers.
/// \param columns  which numbers count
/// \returns        [n_queries, n_keys]
Matrix squared_distances(const Matrix& queries, const Matrix& keys,
                         const std::vector<std::size_t>& columns);

/// The value of the nearest key, by a row of squared distances; of keys that tie, the first's.
/// \param left_out  a key that does not count, or the number of keys if all do
double nearest_in_row(const Matrix& squared, std::size_t row, const Vector& values,
                      std::size_t left_out);

/// The bandwidths that are tried for keys of many numbers, 25 from 0.1 to 20.
Vector wide_grid();

/// The leave-one-out error of the Gaussian kernel, in plain loops.
/// \param squared  [n_keys, n_keys], the keys' squared distances from each other
double leave_one_out_error(const Matrix& squared, const Vector& values, double bandwidth);

/// The bandwidth of wide_grid() with the smallest leave-one-out error of the Gaussian kernel.
/// \param squared  [n_keys, n_keys], the keys' squared distances from each other
Choice choose_bandwidth(const Matrix& squared, const Vector& values);

/// Chooses the numbers of a key by leave-one-out alone: takes the one whose addition lowers the
/// error most, its bandwidth chosen anew each time, until none lowers it.
/// \param keys  [n_keys, d]
/// \returns     which, in the order in which they were taken; none if the mean is best
std::vector<std::size_t> choose_columns(const Matrix& keys, const Vector& values);

} // namespace attn::nadaraya_watson
