#include "chapters/05_attention_versus_dense/experiments/layer_facts.hpp"

#include "chapters/05_attention_versus_dense/experiments/streams.hpp"
#include "chapters/05_attention_versus_dense/raffel_ellis.hpp"
#include "common/autograd/layout.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>

namespace attn::attention_versus_dense {

using random::Generator;

namespace {

/// Attention whose bias is not 0, as it would be after learning.
ComparedLayer attention(const char* name, std::size_t n_steps, std::size_t n_features,
                        ScoreBias bias, Squash squash, Generator& generator)
{
    AttentionOverTime<double> layer(n_features, n_steps, bias, squash, generator);
    if (layer.b) {
        layer.b->value() =
            nn::initialise::normal<double>(layer.b->shape(), 0.0, 1.0, generator);
    }
    return {name, "beta_nt", layer.parameters().n_numbers(),
            [layer](const Variable<double>& X) { return layer(X).context; }};
}

ComparedLayer raffel_ellis(std::size_t n_features, Generator& generator)
{
    const RaffelEllis<double> network({n_features, 16, 16, 1}, generator);
    return {"Raffel and Ellis, 16 units", "beta_nt, of phi(x)",
            network.parameters().n_numbers(),
            [network](const Variable<double>& X) { return network(X).y; }};
}

} // namespace

std::vector<ComparedLayer> compared_layers(std::uint64_t seed, std::size_t n_steps,
                                           std::size_t n_features)
{
    Generator generator(seed, stream::exact);
    const DenseOverFeatures<double> features(n_features, 1, generator);
    const DenseOverTime<double> time(n_steps, 1, generator);
    const DenseOverBoth<double> both(n_steps, n_features, 1, generator);
    std::vector<ComparedLayer> layers = {
        {"mean of the steps", "1/T", 0, [](const auto& X) { return mean_over_time(X); }},
        {"maximum of the steps", "1 at the largest", 0,
         [](const auto& X) { return max_over_time(X); }},
        {"dense over features, then mean", "w_k / T", features.parameters().n_numbers(),
         [features](const auto& X) { return mean_over_time(features(X)); }},
        {"dense over time", "w_t", time.parameters().n_numbers(),
         [time](const auto& X) {
             return reshape(time(X), {X.shape()[0], X.shape()[2]});
         }},
        {"dense over both", "w_tk", both.parameters().n_numbers(),
         [both](const auto& X) { return both(X); }},
    };
    const auto add = [&](const char* name, ScoreBias bias, Squash squash) {
        layers.push_back(attention(name, n_steps, n_features, bias, squash, generator));
    };
    add("attention, tanh, b_t", ScoreBias::per_step, Squash::tanh);
    add("attention, tanh, one b", ScoreBias::one, Squash::tanh);
    add("attention, tanh", ScoreBias::none, Squash::tanh);
    add("attention, b_t", ScoreBias::per_step, Squash::none);
    add("attention", ScoreBias::none, Squash::none);
    layers.push_back(raffel_ellis(n_features, generator));
    return layers;
}

Array<double> in_order(const Array<double>& X, const std::vector<std::size_t>& order)
{
    expect(X.dimension() == 3 && order.size() == X.shape()[1],
           "in_order: there must be an entry for each step of X {}, got {}", X.shape(),
           order.size());
    const std::size_t n_features = X.shape()[2];
    const std::size_t sequence = X.shape()[1] * n_features;
    Array<double> result(X.shape());
    for (std::size_t i = 0; i < X.shape()[0]; ++i) {
        for (std::size_t t = 0; t < order.size(); ++t) {
            std::copy_n(X.data() + i * sequence + order[t] * n_features, n_features,
                        result.data() + i * sequence + t * n_features);
        }
    }
    return result;
}

namespace {

double largest_difference(const Array<double>& a, const Array<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
    }
    return largest;
}

/// What a fixed change of the input does to the result, from where the input is.
Array<double> answer_to(const ComparedLayer& layer, const Array<double>& X,
                        const Array<double>& change)
{
    const Array<double> moved = X + change;
    return layer.apply(moved).value() - layer.apply(X).value();
}

bool takes(const ComparedLayer& layer, const Array<double>& X)
{
    try {
        layer.apply(X);
        return true;
    } catch (const ContractError&) {
        return false;
    }
}

} // namespace

LayerFacts facts_of(const ComparedLayer& layer, std::uint64_t seed, std::size_t n_steps,
                    std::size_t n_features)
{
    Generator generator(seed, stream::exact + 1);
    const auto draw = [&](std::size_t length) {
        return nn::initialise::normal<double>({10, length, n_features}, 0.0, 1.0, generator);
    };
    const Array<double> X = draw(n_steps);
    const Array<double> elsewhere = draw(n_steps);
    const Array<double> change = draw(n_steps);
    const double curved =
        largest_difference(answer_to(layer, X, change), answer_to(layer, elsewhere, change));
    const Array<double> reordered = in_order(X, generator.permutation(n_steps));
    const double order_change =
        largest_difference(layer.apply(X).value(), layer.apply(reordered).value());
    return {curved > 1e-9, order_change, takes(layer, draw(n_steps + 1))};
}

} // namespace attn::attention_versus_dense
