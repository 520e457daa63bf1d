#include "chapters/06_recurrent_attention/forecaster.hpp"

#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/initialise.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/nn/training.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attn::recurrent_attention {

using random::Generator;

template <typename T>
Forecaster<T> make_lstm_attention(const ForecasterSizes& sizes, Generator& generator)
{
    const nn::Lstm<T> lstm({sizes.n_columns, sizes.hidden}, generator);
    const MemoryAttention<T> attention(Score::additive, sizes.hidden, sizes.hidden, generator,
                                       Lookup::itself);
    const nn::Linear<T> readout(2 * sizes.hidden, sizes.n_horizons, generator);
    Forecaster<T> network;
    network.parameters.add_layer("lstm", lstm);
    network.parameters.add_layer("attention", attention);
    network.parameters.add_layer("readout", readout);
    // [lstm_attention]
    network.forward = [=](const Variable<T>& windows) {
        const Variable<T> states = lstm(windows).outputs; // h_1 ... h_w
        const Variable<T> last = select(states, 1, states.shape()[1] - 1);
        const Attended<T> attended = attention(last, states);
        const std::vector<Variable<T>> joined = {attended.context, last};
        return Forecast<T>{readout(concatenate(joined, 1)), {attended.weights}};
    };
    // [lstm_attention]
    return network;
}

template <typename T>
Forecaster<T> make_attention_only(const ForecasterSizes& sizes, Generator& generator)
{
    const std::size_t d = sizes.hidden;
    const nn::Linear<T> embed(sizes.n_columns, d, generator);
    const Variable<T> positions =
        autograd::parameter(nn::initialise::normal<T>({sizes.window, d}, 0.0, 0.3, generator));
    Forecaster<T> network;
    network.parameters.add_layer("embed", embed);
    network.parameters.add("positions", positions);
    std::vector<nn::Linear<T>> queries;
    std::vector<nn::Linear<T>> keys;
    std::vector<nn::Linear<T>> values;
    for (std::size_t lookup = 0; lookup < sizes.n_lookups; ++lookup) {
        queries.emplace_back(d, d, generator, nn::Bias::none);
        keys.emplace_back(d, d, generator, nn::Bias::none);
        values.emplace_back(sizes.n_columns, d, generator);
        const std::string number = std::to_string(lookup);
        network.parameters.add_layer("queries." + number, queries.back());
        network.parameters.add_layer("keys." + number, keys.back());
        network.parameters.add_layer("values." + number, values.back());
    }
    const nn::Mlp<T> readout({(sizes.n_lookups + 1) * d, d, sizes.n_horizons},
                             autograd::relu<T>, generator);
    network.parameters.add_layer("readout", readout);

    // [attention_only]
    network.forward = [=](const Variable<T>& windows) {
        const Variable<T> embedded = embed(windows) + positions;
        const Variable<T> last = select(embedded, 1, embedded.shape()[1] - 1);
        std::vector<Variable<T>> found = {last};
        std::vector<Variable<T>> weights;
        for (std::size_t lookup = 0; lookup < queries.size(); ++lookup) {
            const Variable<T> scores =
                memory_scores(Score::root, queries[lookup](last), keys[lookup](embedded));
            const Attended<T> attended = read_memory(scores, values[lookup](windows));
            found.push_back(attended.context);
            weights.push_back(attended.weights);
        }
        return Forecast<T>{readout(concatenate(found, 1)), weights};
    };
    // [attention_only]
    return network;
}

namespace {

/// Some rows of an array, by their numbers.
Array<float> rows_of(const Array<float>& all, const std::size_t* which, std::size_t n)
{
    Shape shape = all.shape();
    const std::size_t width = all.size() / shape[0];
    shape[0] = n;
    Array<float> rows(shape);
    for (std::size_t i = 0; i < n; ++i) {
        std::copy_n(all.data() + which[i] * width, width, rows.data() + i * width);
    }
    return rows;
}

double root_of_loss(const Forecaster<float>& network, const Windows& windows)
{
    const autograd::NoGradient<float> evaluation;
    const Variable<float> values = network.forward(windows.inputs).values;
    return std::sqrt(static_cast<double>(
        mean_squared_error(values, Variable<float>(windows.targets)).item()));
}

} // namespace

// [train]
TrainedForecaster train_forecaster(const Problem& problem, const ForecastTraining& training,
                                   std::uint64_t seed)
{
    constexpr std::size_t batch = 32;
    Generator first(seed, random::Stream::forecaster_parameters);
    Generator order(seed, random::Stream::forecaster_order);
    TrainedForecaster result{training.make({.window = problem.plan.window,
                                            .n_columns = problem.series.columns.size(),
                                            .n_horizons = problem.plan.n_horizons,
                                            .n_lookups = training.n_lookups},
                                           first),
                             {},
                             {}};
    const Forecaster<float>& network = result.network;
    nn::Adam<float> adam(network.parameters,
                         {.learning_rate = training.learning_rate, .weight_decay = 1e-4});

    std::vector<Array<float>> best = values_of(network.parameters);
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> rest; // windows that are still to come in this round
    for (std::size_t step = 1; step <= training.n_steps; ++step) {
        if (rest.empty()) {
            rest = order.permutation(problem.train.last.size());
        }
        const std::size_t n = std::min(batch, rest.size());
        const std::size_t* const taken = rest.data() + rest.size() - n;
        autograd::Tape<float> tape;
        const Variable<float> windows(rows_of(problem.train.inputs, taken, n));
        const Variable<float> targets(rows_of(problem.train.targets, taken, n));
        const Variable<float> loss =
            mean_squared_error(network.forward(windows).values, targets);
        result.losses.push_back(static_cast<double>(loss.item()));
        autograd::backward(loss);
        nn::clip_by_global_norm(result.network.parameters, 1.0);
        adam.step();
        rest.resize(rest.size() - n);

        // Remember the parameters that are best on the rows to choose by.
        if (step % validation_interval == 0) {
            result.validation.push_back(root_of_loss(network, problem.validation));
            if (result.validation.back() < least) {
                least = result.validation.back();
                best = values_of(network.parameters);
            }
        }
    }
    set_values(network.parameters, best);
    nn::count_training(network.parameters); // for --checksums
    return result;
}
// [train]

/// \cond
template Forecaster<float> make_lstm_attention(const ForecasterSizes&, Generator&);
template Forecaster<double> make_lstm_attention(const ForecasterSizes&, Generator&);
template Forecaster<float> make_attention_only(const ForecasterSizes&, Generator&);
template Forecaster<double> make_attention_only(const ForecasterSizes&, Generator&);
/// \endcond

} // namespace attn::recurrent_attention
