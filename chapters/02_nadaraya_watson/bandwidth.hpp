/// \file
/// \brief The width: what leave-one-out says of one, and the choice of the best.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include <cstddef>

namespace attn::nadaraya_watson {

/// The mean squared error of leave_one_out, where an empty window counts as the mean of
/// the other values. In plain loops, since choosing a width asks for it some 440 times.
/// \throws ContractError as leave_one_out
double leave_one_out_error(const Sample& sample, const Kernel& kernel, double bandwidth);

/// The same error without the mask, every point helping to predict itself. It says nothing
/// about new queries: as the width goes to 0, so does this error where no two keys are equal.
/// \throws ContractError as predict
double unmasked_error(const Sample& sample, const Kernel& kernel, double bandwidth);

/// Widths to try, each the same factor above the one before.
/// \param keys  [n_keys], not all equal
/// \param n     how many, at least 2
/// \returns     [n], from a two-hundredth of the keys' range to twice the range
/// \throws ContractError if there are fewer than two different keys or n is below 2
Vector width_grid(const Vector& keys, std::size_t n);

/// A width and its leave-one-out error.
struct Choice
{
    double bandwidth; ///< in the units of the keys
    double error;     ///< in the square of the values' units
};

/// The width of the smallest leave-one-out error: the best of 401 on width_grid, refined by
/// a golden-section search between its neighbours. Of equal errors the width tried first
/// counts, so on a plateau, which every step of a boxcar is, the smallest width of the grid.
/// \param sample  keys that are not all equal
/// \throws ContractError as width_grid and leave_one_out
Choice choose_bandwidth(const Sample& sample, const Kernel& kernel);

} // namespace attn::nadaraya_watson
