/// \file
/// \brief Networks that forecast: an LSTM, an LSTM whose last state asks its earlier ones, and
/// attention alone; and their training. Deliberately without rules and regressions:
/// baselines.hpp has them.
#pragma once

#include "chapters/06_recurrent_attention/experiments/baselines.hpp"
#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::recurrent_attention {

using autograd::Variable;

/// What a network says of some windows.
/// \tparam T  float or double
template <typename T>
struct Forecast
{
    Variable<T> values;               ///< [batch, n_horizons]
    std::vector<Variable<T>> weights; ///< [n_lookups], each [batch, window]; none for an LSTM
};

/// How large a network is.
struct ForecasterSizes
{
    std::size_t window;        ///< rows it sees
    std::size_t n_columns;     ///< numbers in a row
    std::size_t n_horizons;    ///< rows it forecasts
    std::size_t hidden = 16;   ///< numbers in a state or an embedding
    std::size_t n_lookups = 1; ///< questions that attention alone may ask
};

/// A network with its parameters.
/// \tparam T  float or double
template <typename T>
struct Forecaster
{
    std::function<Forecast<T>(const Variable<T>& windows)> read; ///< from [batch, window,
                                                                 ///< n_columns]
    nn::Parameters<T> parameters;                                ///< what is learnt
};

/// The LSTM reads the window, a linear map of its last state is the forecast.
/// \param sizes      of the network
/// \param generator  advanced
/// \returns          the network
template <typename T>
Forecaster<T> make_lstm(const ForecasterSizes& sizes, random::Generator& generator);

/// The LSTM reads the window, its last state asks all of its states, with the additive score,
/// and a linear map of context and last state is the forecast.
/// \param sizes      of the network
/// \param generator  advanced
/// \returns          the network
template <typename T>
Forecaster<T> make_lstm_attention(const ForecasterSizes& sizes, random::Generator& generator);

/// No recurrence: rows are embedded, \f$ e_i = W_e x_i + b_e + \pi_i \f$ with a learnt vector for each
/// place in the window. The last row asks, \f$ u = W_q e_w \f$, keys are \f$ W_k e_i \f$,
/// values \f$ W_v x_i + b_v \f$; two layers make the forecast of the contexts and the last
/// embedding.
/// \param sizes      of the network
/// \param generator  advanced
/// \returns          the network
template <typename T>
Forecaster<T> make_attention_only(const ForecasterSizes& sizes, random::Generator& generator);

/// Makes a network.
using MakeForecaster = Forecaster<float> (*)(const ForecasterSizes& sizes,
                                             random::Generator& generator);

// ---------------------------------------------------------------- training

/// How a network is trained.
struct ForecastTraining
{
    MakeForecaster make;         ///< which one
    std::size_t hidden = 16;     ///< numbers in a state or an embedding
    std::size_t n_lookups = 1;   ///< questions that attention alone may ask
    std::size_t n_steps = 1500;  ///< each on 32 windows
    double learning_rate = 0.01; ///< Adam's
};

/// After how many steps the network is asked about the rows to choose by, each time.
inline constexpr std::size_t forecast_look = 50;

/// What a training leaves behind: the parameters with the least error on the rows to choose by.
struct TrainedForecaster
{
    Predictor predict;           ///< the forecasts
    std::vector<Matrix> weights; ///< [n_lookups], each [n_test, window], on the rows to test on
    std::vector<double> losses;  ///< [n_steps], in units of the scaling
    std::vector<double> validation; ///< [n_looks], root of the mean squared error, likewise
};

/// Trains a network to make the squared error small, with Adam, a weight decay of 1e-4 and
/// gradients no longer than 1.
/// \param problem   the split series
/// \param training  how
/// \param seed      of first parameters and of the order of the windows
/// \returns         what came of it
TrainedForecaster train_forecaster(const Problem& problem, const ForecastTraining& training,
                                   std::uint64_t seed);

} // namespace attn::recurrent_attention
