/// \file
/// \brief The networks that attention alone is compared with: an LSTM, and an LSTM whose last state
/// attends to all of its states.
#pragma once

#include "chapters/06_recurrent_attention/forecaster.hpp"
#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"

namespace attn::recurrent_attention {

/// The LSTM reads the window, a linear map of its last state is the forecast.
template <typename T>
Forecaster<T> make_lstm(const ForecasterSizes& sizes, random::Generator& generator)
{
    const nn::Lstm<T> lstm({sizes.n_columns, sizes.hidden}, generator);
    const nn::Linear<T> readout(sizes.hidden, sizes.n_horizons, generator);
    Forecaster<T> network;
    network.parameters.add_layer("lstm", lstm);
    network.parameters.add_layer("readout", readout);
    network.read = [=](const Variable<T>& windows) {
        const Variable<T> states = lstm(windows).outputs;
        return Forecast<T>{readout(select(states, 1, states.shape()[1] - 1)), {}};
    };
    return network;
}

/// The LSTM reads the window, its last state attends to all of its states with the additive
/// score, and a linear map of context and last state is the forecast.
template <typename T>
Forecaster<T> make_lstm_attention(const ForecasterSizes& sizes, random::Generator& generator)
{
    const nn::Lstm<T> lstm({sizes.n_columns, sizes.hidden}, generator);
    const MemoryAttention<T> attention(Score::additive, sizes.hidden, sizes.hidden, generator,
                                       Lookup::itself);
    const nn::Linear<T> readout(2 * sizes.hidden, sizes.n_horizons, generator);
    Forecaster<T> network;
    network.parameters.add_layer("lstm", lstm);
    network.parameters.add_layer("attention", attention);
    network.parameters.add_layer("readout", readout);
    network.read = [=](const Variable<T>& windows) {
        const Variable<T> states = lstm(windows).outputs;
        const Variable<T> last = select(states, 1, states.shape()[1] - 1);
        const Attended<T> attended = attention(last, states);
        return Forecast<T>{
            readout(concatenate(std::vector<Variable<T>>{attended.context, last}, 1)),
            {attended.weights}};
    };
    return network;
}

} // namespace attn::recurrent_attention
