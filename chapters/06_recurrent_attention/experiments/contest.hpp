/// \file
/// \brief Rules, regressions and networks side by side on the same rows, over several seeds.
#pragma once

#include "chapters/06_recurrent_attention/experiments/baselines.hpp"
#include "chapters/06_recurrent_attention/forecaster.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::recurrent_attention {

/// A split series and how its contest is held.
struct Contest
{
    Problem problem; ///< the series
    std::vector<std::size_t>
        switches;              ///< columns for ridge regression with products; none: not
                               ///< in the contest
    std::size_t n_steps = 600; ///< of the networks' trainings
    std::size_t n_lookups = 1; ///< of attention alone
};

/// What a model did.
struct Entry
{
    std::string name;               ///< "persistence", ..., "attention only"
    std::vector<Predictor> predict; ///< [n_seeds], or one for what does not depend on a seed
    std::vector<Matrix> forecasts;  ///< likewise, each [n_test, n_horizons], in own units
    std::vector<Matrix> next;       ///< likewise, each [1, n_horizons]: after the last row
    std::vector<TrainedForecaster> trained; ///< [n_seeds] for networks, else none

    /// The root mean squared errors on the rows to test on, as many as there are forecasts.
    /// \param horizon  0 for the next row
    std::vector<double> errors(const Problem& problem, std::size_t horizon) const;
};

/// A network's forecasts.
Predictor predictor_of(const Forecaster<float>& network);

/// Calls work for each number below n, in any order, perhaps several at a time.
using ForEachIndex =
    std::function<void(std::size_t n, const std::function<void(std::size_t)>& work)>;

/// Holds contests. The entries of each are persistence, the unchanged level if the series is
/// one of changes, seasonal naive if there is a season, the mean, ridge, ridge with products if
/// there are switches, LSTM, LSTM with attention and attention only.
/// \param seeds     of the networks
/// \param for_each  runs the trainings
/// \returns         [n_contests][n_entries]
std::vector<std::vector<Entry>> hold_contests(const std::vector<Contest>& contests,
                                              const std::vector<std::uint64_t>& seeds,
                                              const ForEachIndex& for_each);

/// An entry by its name.
/// \throws ContractError if there is none
const Entry& entry_of(const std::vector<Entry>& entries, std::string_view name);

/// The weights of a network on windows.
/// \param lookup  which of its lookup vectors
/// \returns       [n, window]
Matrix weights_on(const Forecaster<float>& network, const Windows& windows,
                  std::size_t lookup = 0);

/// The mean weight at each lag, over some rows. Lag 1 is the last row of the window.
/// \param weights  [n, window]
/// \param which    [n], true for the rows that count; empty: all
/// \returns        [window], lag 1 first; zeros if no row counts
/// \throws ContractError if there is not one entry a row
Vector mean_weight_by_lag(const Matrix& weights, std::vector<bool> which = {});

} // namespace attn::recurrent_attention
