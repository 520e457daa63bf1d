/// \file
/// \brief Rules, regressions and networks compared on the same rows, over several seeds; the networks
/// that attention alone is compared with.
#pragma once

#include "chapters/06_recurrent_attention/experiments/baselines.hpp"
#include "chapters/06_recurrent_attention/forecaster.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::recurrent_attention {

/// The LSTM reads the window, a linear map of its last state is the forecast.
template <typename T>
Forecaster<T> make_lstm(const ForecasterSizes& sizes, random::Generator& generator);

/// No recurrence and no attention: all numbers of the window enter a layer of twice as many
/// units as a state has numbers, under a ReLU; a linear map of which is the forecast.
template <typename T>
Forecaster<T> make_dense(const ForecasterSizes& sizes, random::Generator& generator);

/// A split series and how models are compared on it.
struct Comparison
{
    Problem problem; ///< the series
    std::vector<std::size_t>
        switches;                  ///< columns for ridge regression with products; none: it is
                                   ///< not compared
    std::size_t n_steps = 600;     ///< of the networks' trainings
    std::size_t n_lookups = 1;     ///< of attention alone
    std::uint64_t seed_offset = 0; ///< is added to each seed
};

/// What a model did.
struct ComparedModel
{
    std::string name;               ///< "persistence", ..., "dense network"
    std::vector<Predictor> predict; ///< [n_seeds], or one for what does not depend on a seed
    std::vector<Matrix> forecasts;  ///< likewise, each [n_test, n_horizons], in own units
    std::vector<Matrix> next;       ///< likewise, each [1, n_horizons]: after the last row
    std::vector<std::vector<double>> errors; ///< [n_horizons], root mean squared ones of them
    std::vector<TrainedForecaster> trained;  ///< [n_seeds] for networks, else none
};

/// A network's forecasts.
Predictor predictor_of(const Forecaster<float>& network);

/// Compares persistence, the unchanged level if the series is one of changes, seasonal naive if
/// there is a season, the mean, ridge, ridge with products if there are switches, LSTM, LSTM with
/// attention, attention only and a dense network, with the program's threads; if quick, the networks
/// learn for 50 steps.
/// \param label  of the line of progress
/// \param seeds  of the networks; none: the program's
/// \returns      [n_comparisons][n_models]
std::vector<std::vector<ComparedModel>>
compare_models(const program::Frame& frame, const char* label,
               const std::vector<Comparison>& comparisons,
               std::vector<std::uint64_t> seeds = {});

/// A model by its name.
/// \throws ContractError if there is none
const ComparedModel& model_named(const std::vector<ComparedModel>& models,
                                 std::string_view name);

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
