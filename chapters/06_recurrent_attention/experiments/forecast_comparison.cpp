#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/program/seeds.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attn::recurrent_attention {

template <typename T>
Forecaster<T> make_lstm(const ForecasterSizes& sizes, random::Generator& generator)
{
    const nn::Lstm<T> lstm({sizes.n_columns, sizes.hidden}, generator);
    const nn::Linear<T> readout(sizes.hidden, sizes.n_horizons, generator);
    Forecaster<T> network;
    network.parameters.add_layer("lstm", lstm);
    network.parameters.add_layer("readout", readout);
    network.forward = [=](const Variable<T>& windows) {
        const Variable<T> states = lstm(windows).outputs;
        return Forecast<T>{readout(select(states, 1, states.shape()[1] - 1)), {}};
    };
    return network;
}

template <typename T>
Forecaster<T> make_dense(const ForecasterSizes& sizes, random::Generator& generator)
{
    const std::size_t n_in = sizes.window * sizes.n_columns;
    const nn::Mlp<T> layers({n_in, 2 * sizes.hidden, sizes.n_horizons}, autograd::relu<T>,
                            generator);
    Forecaster<T> network;
    network.parameters.add_layer("layers", layers);
    network.forward = [=](const Variable<T>& windows) {
        return Forecast<T>{layers(reshape(windows, {windows.shape()[0], n_in})), {}};
    };
    return network;
}

template Forecaster<float> make_lstm(const ForecasterSizes&, random::Generator&);
template Forecaster<double> make_lstm(const ForecasterSizes&, random::Generator&);
template Forecaster<float> make_dense(const ForecasterSizes&, random::Generator&);
template Forecaster<double> make_dense(const ForecasterSizes&, random::Generator&);

namespace {

struct NamedNetwork
{
    const char* name;
    Forecaster<float> (*make)(const ForecasterSizes&, random::Generator&);
};

constexpr std::array<NamedNetwork, 4> networks = {
    {{"LSTM", make_lstm<float>},
     {"LSTM with attention", make_lstm_attention<float>},
     {"attention only", make_attention_only<float>},
     {"dense network", make_dense<float>}}};

void add_prediction(const Problem& problem, const Predictor& predict, ComparedModel& model)
{
    model.predict.push_back(predict);
    model.forecasts.push_back(in_own_units(problem, predict(problem.test.inputs)));
    model.next.push_back(in_own_units(problem, predict(problem.next)));
    model.errors.resize(problem.plan.n_horizons);
    for (std::size_t h = 0; h < problem.plan.n_horizons; ++h) {
        model.errors[h].push_back(
            rmse(model.forecasts.back(), truth_of(problem, problem.test), h));
    }
}

/// What does not depend on a seed.
std::vector<ComparedModel> fixed_models(const Comparison& comparison)
{
    const Problem& problem = comparison.problem;
    std::vector<ComparedModel> models;
    const auto add = [&](const char* name, const Predictor& predict) {
        models.emplace_back();
        models.back().name = name;
        add_prediction(problem, predict, models.back());
    };
    add("persistence", persistence(problem));
    if (problem.series.of_changes) {
        add("level unchanged", unchanged_level(problem));
    }
    if (problem.plan.season > 0) {
        add("seasonal naive", seasonal_naive(problem));
    }
    add("mean", mean_rule(problem));
    add("ridge", ridge_forecast(problem));
    if (!comparison.switches.empty()) {
        add("ridge with products", ridge_forecast(problem, comparison.switches));
    }
    return models;
}

} // namespace

Predictor predictor_of(const Forecaster<float>& network)
{
    return [network](const Array<float>& windows) {
        const autograd::NoGradient<float> evaluation;
        return as_matrix(network.forward(windows).values.value());
    };
}

std::vector<std::vector<ComparedModel>>
compare_models(const program::Frame& frame, const char* label,
               const std::vector<Comparison>& comparisons, std::vector<std::uint64_t> seeds)
{
    const std::size_t n_networks = networks.size();
    if (seeds.empty()) {
        seeds = program::seeds_of(frame);
    }
    auto trained = program::run_rows_with_seeds(
        frame, label, comparisons.size() * n_networks, seeds,
        [&](std::size_t row, std::uint64_t seed) {
            const Comparison& comparison = comparisons[row / n_networks];
            const std::size_t n_steps = frame.options.quick ? 50 : comparison.n_steps;
            return train_forecaster(
                comparison.problem,
                {networks[row % n_networks].make, comparison.n_lookups, n_steps},
                seed + comparison.seed_offset);
        });

    std::vector<std::vector<ComparedModel>> result;
    auto next = trained.begin(); // of the networks, comparison by comparison
    for (const Comparison& comparison : comparisons) {
        result.push_back(fixed_models(comparison));
        for (const NamedNetwork& network : networks) {
            ComparedModel model;
            model.name = network.name;
            model.trained = std::move(*next++);
            for (const TrainedForecaster& of_seed : model.trained) {
                add_prediction(comparison.problem, predictor_of(of_seed.network), model);
            }
            result.back().push_back(std::move(model));
        }
    }
    return result;
}

const ComparedModel& model_named(const std::vector<ComparedModel>& models,
                                 std::string_view name)
{
    const auto found =
        std::find_if(models.begin(), models.end(),
                     [&](const ComparedModel& model) { return model.name == name; });
    expect(found != models.end(), "model_named: there is no '{}' among {} models", name,
           models.size());
    return *found;
}

Matrix weights_on(const Forecaster<float>& network, const Windows& windows, std::size_t lookup)
{
    const autograd::NoGradient<float> evaluation;
    return as_matrix(network.forward(windows.inputs).weights.at(lookup).value());
}

Vector mean_weight_by_lag(const Matrix& weights, std::vector<bool> which)
{
    which.resize(which.empty() ? weights.shape(0) : which.size(), true);
    expect(which.size() == weights.shape(0),
           "mean_weight_by_lag: there must be an entry for each row of {}, got {}",
           shape_of(weights), which.size());
    const std::size_t window = weights.shape(1);
    Vector mean = xt::zeros<double>({window});
    double n = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i]) {
            n += 1;
            for (std::size_t lag = 1; lag <= window; ++lag) {
                mean(lag - 1) += weights(i, window - lag);
            }
        }
    }
    if (n > 0) {
        mean /= n;
    }
    return mean;
}

} // namespace attn::recurrent_attention
