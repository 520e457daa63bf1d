/// \file
/// \brief The bandwidth: what leave-one-out says of one, and the choice of the best.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include <cstddef>

namespace attn::nadaraya_watson {

/// What to predict for an empty window where a number is needed.
enum class EmptyWindow
{
    mean,    ///< the mean of all values
    nearest, ///< the value of the nearest key, the mean of those that tie
};

/// The value of the nearest key, or the mean over those that tie for it: what the Gaussian's
/// prediction tends to as its bandwidth goes to 0.
/// \param sample    at least one key beside the one left out
/// \param left_out  the index of a key that does not count, if any
double nearest_value(double query, const Sample& sample,
                     std::size_t left_out = static_cast<std::size_t>(-1));

/// The mean squared error of leave_one_out. In plain loops, since choosing a bandwidth asks for
/// it some 500 times.
/// \param empty  what is predicted, from the other rows, where no other key is in the window
/// \throws ContractError as leave_one_out
double leave_one_out_error(const Sample& sample, const Kernel& kernel, double bandwidth,
                           EmptyWindow empty = EmptyWindow::mean);

/// The same error without the mask, every point helping to predict itself. It says nothing
/// about new queries: as the bandwidth goes to 0, so does this error where no two keys are
/// equal.
/// \throws ContractError as predict
double unmasked_error(const Sample& sample, const Kernel& kernel, double bandwidth);

/// Bandwidths to try, each the same factor above the one before.
/// \param keys  [n_keys], not all equal
/// \param n     how many, at least 2
/// \returns     [n], from a two-hundredth of the keys' range to twice the range
/// \throws ContractError if there are fewer than two different keys or n is below 2
Vector width_grid(const Vector& keys, std::size_t n);

/// A bandwidth and its leave-one-out error.
struct Choice
{
    double bandwidth;           ///< in the units of the keys
    double error;               ///< in the square of the values' units
    bool at_narrow_end = false; ///< whether no narrower one errs more: the nearest key alone
                                ///< predicts as well
    bool at_wide_end = false; ///< whether no wider one errs more: the mean of all other values
                              ///< predicts as well
};

/// The bandwidth of the smallest leave-one-out error: the best of 401 on width_grid, of narrower
/// ones in steps of 5 % down to a gap between neighbouring keys that a quarter of the gaps do not
/// exceed, and of narrower or wider ones as long as the last is the best; refined by a
/// golden-section search between its neighbours. Of equal errors the bandwidth tried first counts,
/// so on a plateau, which every step of a boxcar is, the smallest bandwidth of the grid.
/// \param sample  keys that are not all equal
/// \param empty   as for leave_one_out_error
/// \throws ContractError as width_grid and leave_one_out, and if squares of the values' scatter are
///         no finite numbers or vanish
Choice choose_bandwidth(const Sample& sample, const Kernel& kernel,
                        EmptyWindow empty = EmptyWindow::mean);

} // namespace attn::nadaraya_watson
