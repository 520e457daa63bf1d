/// \file
/// \brief Attention alone as a network that forecasts, and how a network that forecasts is trained.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"
#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::recurrent_attention {

using autograd::Variable;

/// What a network says of some windows.
template <typename T>
struct Forecast
{
    Variable<T> values;               ///< [batch, n_horizons]
    std::vector<Variable<T>> weights; ///< [n_lookups], each [batch, window]; none for an LSTM
};

/// How large a network is.
struct ForecasterSizes
{
    std::size_t window;        ///< rows of a window
    std::size_t n_columns;     ///< numbers in a row
    std::size_t n_horizons;    ///< rows it forecasts
    std::size_t hidden = 16;   ///< numbers in a state or an embedding
    std::size_t n_lookups = 1; ///< lookup vectors of attention alone
};

/// A network with its parameters.
template <typename T>
struct Forecaster
{
    std::function<Forecast<T>(const Variable<T>& windows)> forward; ///< from [batch, window,
                                                                    ///< n_columns]
    nn::Parameters<T> parameters;                                   ///< what is learnt
};

/// The LSTM reads the window, its last state attends to all of its states with the additive
/// score, and a linear map of context and last state is the forecast.
template <typename T>
Forecaster<T> make_lstm_attention(const ForecasterSizes& sizes, random::Generator& generator);

/// No recurrence: rows are embedded, \f$ e_i = W_e x_i + b_e + \pi_i \f$ with a learnt vector for
/// each position in the window. The last row is the query, \f$ u = W_q e_w \f$, keys are
/// \f$ W_k e_i \f$, values \f$ W_v x_i + b_v \f$; two layers make the forecast of the contexts
/// and the last embedding.
template <typename T>
Forecaster<T> make_attention_only(const ForecasterSizes& sizes, random::Generator& generator);

/// How a network is trained.
struct ForecastTraining
{
    Forecaster<float> (*make)(const ForecasterSizes&, random::Generator&); ///< which one
    std::size_t n_lookups = 1;   ///< lookup vectors of attention alone
    std::size_t n_steps = 1500;  ///< each on 32 windows
    double learning_rate = 0.01; ///< Adam's
};

/// After how many steps the network is evaluated on the rows to choose by, each time.
inline constexpr std::size_t validation_interval = 50;

/// What comes of a training.
struct TrainedForecaster
{
    Forecaster<float> network;  ///< with the least error on the rows to choose by
    std::vector<double> losses; ///< [n_steps], in units of the scaling
    std::vector<double>
        validation; ///< [n_evaluations], root of the mean squared error, likewise
};

/// Trains a network to make the squared error small, with Adam, a weight decay of 1e-4 and
/// gradients no longer than 1.
/// \param seed  of first parameters and of the order of the windows
TrainedForecaster train_forecaster(const Problem& problem, const ForecastTraining& training,
                                   std::uint64_t seed);

} // namespace attn::recurrent_attention
